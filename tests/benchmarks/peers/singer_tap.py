"""A Singer tap as the template of singer-sdk makes it, writing messages to standard output."""

import os

from singer_sdk import RESTStream, Tap
from singer_sdk import typing as th
from singer_sdk.authenticators import APIKeyAuthenticator

Text = th.StringType


class Orders(RESTStream):
    name = "orders"
    path = "/orders"
    primary_keys = ("id",)
    records_jsonpath = "$.data[*]"
    next_page_token_jsonpath = "$.pagination.next"
    schema = th.PropertiesList(
        th.Property("id", Text, required=True), additional_properties=True
    ).to_dict()

    @property
    def url_base(self):
        return self.config["base_url"]

    @property
    def authenticator(self):
        return APIKeyAuthenticator(key="X-API-Key", value=self.config["api_key"], location="header")

    def get_url_params(self, context, next_page_token):
        return {"verbose": "true", "limit": 100, "page": next_page_token or 1}


class TapOrders(Tap):
    name = "tap-orders"
    config_jsonschema = th.PropertiesList(
        th.Property("base_url", Text, required=True),
        th.Property("api_key", Text, required=True, secret=True),
    ).to_dict()

    def discover_streams(self):
        return [Orders(self)]


TapOrders(
    config={
        "base_url": os.environ["BENCHMARK_BASE_URL"],
        "api_key": os.environ["BENCHMARK_API_KEY"],
    }
).sync_all()
