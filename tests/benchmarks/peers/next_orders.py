"""Two libraries on the same claims, fitted anew for each month on what was known when it began.

lifelines: accelerated failure time, log-normal or Weibull by AIC; who has not ordered yet is
censored. scikit-learn: a gradient boosting for each quantile of the logarithm of the gap in usual
gaps, where gaps that are known count for those that were censored (inverse probability of
censoring), and MAPIE makes windows of them conformal on a third that was not fitted. It is told
what ours calls usual; lifelines does better without.
"""

import logging
import warnings
from contextlib import suppress

import numpy as np
import pandas as pd
from lifelines import LogNormalAFTFitter, WeibullAFTFitter
from lifelines.exceptions import ConvergenceError
from mapie.regression import ConformalizedQuantileRegressor
from sklearn.ensemble import HistGradientBoostingRegressor

FEWEST_GAPS = 200
"""With fewer known ones nothing is fitted."""
KNOWN_DAYS = 365
"""So long before a month purchases are asked, and with about so many days its season is asked."""
SHARES = (0.5, 0.8, 0.9)
MOST_CLAIMS = 3_000
"""Drawn from those that are asked, so that a history takes minutes."""
BEGINNINGS = 21


def monthly(claims, fit):
    """For each month with claims that are told, `fit(features, days, has_ordered, told)`.

    `claims` are columns by name. Returns quantiles, and windows as the days between, of all claims,
    nan where nothing is told.
    """
    ordered, following, month = (claims[name] for name in ("day", "next_day", "month"))
    quantiles = np.full((len(ordered), 7), np.nan)
    windows = np.full((len(ordered), len(SHARES), 2), np.nan)
    for begin in np.unique(month[claims["is_told"]]):
        told = np.flatnonzero(claims["is_told"] & (month == begin))
        known = np.flatnonzero((ordered < begin) & (ordered >= begin - KNOWN_DAYS))
        if len(known) > MOST_CLAIMS:
            known = np.sort(np.random.default_rng(1).choice(known, MOST_CLAIMS, replace=False))
        has = following[known] < begin
        if has.sum() < FEWEST_GAPS:
            continue
        days = np.minimum(following[known], begin) - ordered[known]
        has_season = begin - ordered.min() > KNOWN_DAYS - 31
        features = _features(claims, has_season)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            quantiles[told], windows[told] = fit(
                features.iloc[known], days, has, features.iloc[told]
            )
    return quantiles, windows


def _features(claims, has_season):
    columns = {
        name: np.log(np.maximum(claims[name], 0.5))
        for name in ("usual_days", "mean", "median", "last", "number")
    }
    columns["spread"] = claims["spread"] / claims["mean"]
    if has_season:
        of_year = 2 * np.pi * claims["day"] / 365.25
        columns |= {"season_sin": np.sin(of_year), "season_cos": np.cos(of_year)}
    return pd.DataFrame(columns)


def failure_times(levels):
    def fit(features, days, has, told):
        table = features.drop(columns="usual_days").assign(days=days, has=has)
        told = told.drop(columns="usual_days")
        found = []
        for fitter in (LogNormalAFTFitter, WeibullAFTFitter):
            with suppress(ConvergenceError):
                found.append(fitter(penalizer=0.01).fit(table, "days", "has", ancillary=True))
        best = min(found, key=lambda model: model.AIC_)

        def by(level):
            if level <= 0:
                return np.zeros(len(told))
            return np.asarray(best.predict_percentile(told, ancillary=told, p=1 - level)).ravel()

        windows = []
        for share in SHARES:
            lows = np.linspace(0, 0.99 * (1 - share), BEGINNINGS)
            ends = np.array([(by(low), by(low + share)) for low in lows])
            shortest = (ends[:, 1] - ends[:, 0]).argmin(axis=0)
            windows.append(ends[shortest, :, np.arange(len(told))])
        return np.array([by(level) for level in levels]).T, np.array(windows).transpose(1, 0, 2)

    return fit


def boosting(levels):
    def fit(features, days, has, told):
        logging.getLogger().setLevel(logging.WARNING)  # MAPIE notes each quantile that crosses
        random = np.random.default_rng(1)
        usual = np.exp(told["usual_days"].to_numpy())
        weights = _weights(days, has)
        x, w = features[has].to_numpy(), weights[has]
        y = np.log(days[has]) - features["usual_days"][has].to_numpy()
        is_fitted = random.random(len(y)) < 2 / 3
        models = {
            level: HistGradientBoostingRegressor(
                loss="quantile",
                quantile=level,
                max_iter=80,
                learning_rate=0.08,
                max_leaf_nodes=15,
                min_samples_leaf=30,
                l2_regularization=1.0,
                random_state=1,
            ).fit(x[is_fitted], y[is_fitted], sample_weight=w[is_fitted])
            for level in levels
        }
        rest = np.flatnonzero(~is_fitted)
        drawn = random.choice(rest, 2 * len(rest), p=w[rest] / w[rest].sum())
        windows = []
        for share in SHARES:
            low, high = round((1 - share) / 2, 3), round((1 + share) / 2, 3)
            conformal = ConformalizedQuantileRegressor(
                [models[low], models[high], models[0.5]], confidence_level=share, prefit=True
            ).conformalize(x[drawn], y[drawn])
            ends = np.sort(conformal.predict_interval(told.to_numpy())[1][:, :, 0], axis=1)
            windows.append(usual[:, None] * np.exp(ends))
        middle = usual * np.exp(models[0.5].predict(told.to_numpy()))
        ends = [window[:, 0] for window in reversed(windows)]
        ends += [middle, *(window[:, 1] for window in windows)]
        return np.array(ends).T, np.array(windows).transpose(1, 0, 2)

    return fit


def _weights(days, has):
    """One by the share that was not censored before so many days (Kaplan-Meier), 20 at most."""
    order = np.argsort(days, kind="stable")
    at_risk = len(days) - np.searchsorted(days[order], days, side="left")
    step = np.where(has, 1.0, 1 - 1 / np.maximum(at_risk, 2))
    unique, first = np.unique(days[order], return_index=True)
    factors = np.multiply.reduceat(step[order], first)
    survived = np.concatenate([[1.0], np.cumprod(factors)[:-1]])
    return 1 / np.maximum(survived[np.searchsorted(unique, days)], 0.05)
