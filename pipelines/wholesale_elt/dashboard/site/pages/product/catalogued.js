/** Catalogued: what the catalogue has of a product: pictures, options, and what is bought with it. */
(() => {
  "use strict";

  const { decimals, format, load, objects, parts, base } = wholesale;
  const { h, useLoaded, Loaded, Name, Section } = wholesale.elements;
  const { Pairs } = parts;
  const MOST_PAIRS = 8;
  const LONGEST_TEXT = 600;

  /** An address as text; a person may press it, and the page itself never loads it. */
  function Address({ url }) {
    const text = url.replace(/^https?:\/\//i, "");
    if (!/^https?:\/\//i.test(url)) return h`<span dir="auto">${text}</span>`;
    return h`<a class="a" href=${url} target="_blank" rel="noreferrer noopener">${text}</a>`;
  }

  /** The pictures whose files the publication has, and the addresses of those that it has not. */
  function Shown({ rows, files, name }) {
    const [shown, others] = [rows.filter(({ url }) => files[url]), rows.filter(({ url }) => !files[url])];
    return h`
      ${
        shown.length > 0 &&
        h`<div class="gallery">
          ${shown.map(
            ({ url }, place) =>
              h`<img key=${url} src=${`${base}data/pictures/${files[url].file}`} width=${files[url].width}
                  height=${files[url].height} loading="lazy" decoding="async"
                  alt=${`${name}, picture ${format.count(place + 1)}`} />`,
          )}
        </div>`
      }
      ${
        others.length > 0 &&
        h`<ol class="addresses">
          ${others.map(({ url }, place) => h`<li key=${place}><${Address} url=${url} /></li>`)}
        </ol>`
      }
    `;
  }

  function Pictures({ item, part, tables, name }) {
    const rows = tables("pictures", ({ item_id: id }) => id !== null && id === item.item_id);
    const isFetched = wholesale.meta.pictures?.parts.includes(part) ?? false;
    const of = useLoaded(() => (isFetched ? load(`pictures/${part}`) : Promise.resolve({})), `pictures ${part}`);
    if (!rows.length) return null;
    const note = wholesale.meta.pictures ? format.count(rows.length) : "where they are; this page loads none";
    return h`<${Section} title="Pictures" note=${note}>
      <${Loaded} of=${of}>${(files) => h`<${Shown} rows=${rows} files=${files} name=${name} />`}<//>
    <//>`;
  }

  /** The values of an option, which the service has as a list. */
  function valuesOf(text) {
    try {
      const values = JSON.parse(text);
      return Array.isArray(values) ? values.map(String) : [String(values)];
    } catch {
      return text ? [text] : [];
    }
  }

  /** The options of a product with their values; those of the size that is shown stand out. */
  function Options({ item, size, tables }) {
    const options = tables("options", ({ item_id: id }) => id !== null && id === item.item_id);
    if (!options.length) return null;
    const own = size ? tables("variant_options", ({ product_id: id }) => id === size.product_id) : [];
    const chosen = new Map(own.map(({ option_name: name, option_value: value }) => [name, value]));
    return h`<${Section} title="Options">
      <${Pairs}
          rows=${options.map(({ option_name: name, option_values: values }) => [
            name || "Option",
            valuesOf(values).map(
              (value, place) => h`
                <span key=${place}>${place > 0 && ", "}${chosen.get(name) === value ? h`<b>${value}</b>` : value}</span>
              `,
            ),
          ])} />
    <//>`;
  }

  /** What the service has of one product besides its price, in pairs. */
  function factsOf(product, tables) {
    const [own] = product ? tables("variants", ({ product_id: id }) => id === product.product_id) : [];
    if (!own) return [];
    return [
      own.minimum_quantity > 1 && ["At least", format.plural(own.minimum_quantity, "piece")],
      own.minimum_advertised_price && ["Not advertised below", format.exact(own.minimum_advertised_price)],
      own.product_code && ["Product code", own.product_code],
      own.upc && ["Barcode", own.upc],
      own.status && ["Status in the catalogue", format.word(own.status)],
    ];
  }

  function Description({ item, tables }) {
    const [own] = tables("items", ({ item_id: id }) => id !== null && id === item.item_id);
    const text = (own?.description ?? "").replaceAll(/<[^>]*>/g, " ").trim();
    if (!text) return null;
    return h`<${Section} title="Description">
      <p class="written quiet" dir="auto">
        ${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}
      </p>
    <//>`;
  }

  /** The share of the orders with a product that have another one, too. */
  const shareOf = ({ order_count: both, product_order_count: one }) =>
    one > 0 ? decimals.ratio(decimals.units(both), decimals.units(one)) : null;

  const togetherColumns = ({ own, products, nameOf }) =>
    [
      {
        name: "other",
        label: "Product",
        value: ({ other_product_id: id }) => nameOf(id),
        show: ({ other_product_id: id }) => h`<${Name} of="product" id=${id}>${nameOf(id)}<//>`,
      },
      own.size > 1 && {
        name: "size",
        label: "With",
        value: ({ product_id: id }) => products.get(id)?.variant_title ?? products.get(id)?.sku ?? id,
      },
      { name: "order_count", label: "Orders with both", type: "count" },
      { name: "share", label: "Of its orders", type: "share", value: shareOf },
      {
        name: "lift",
        label: "Against chance",
        type: "number",
        show: ({ lift }) => (lift === null ? format.NONE : `×${Number(lift).toFixed(Number(lift) < 10 ? 1 : 0)}`),
      },
    ].filter(Boolean);

  /** What is in the same orders of its vendor, and how much oftener than by chance; its own sizes are left out. */
  function Together({ item, sizes, tables, products }) {
    const own = new Set(sizes.map(({ product_id: id }) => id));
    const siblings = new Set(item.sizes.map(({ product_id: id }) => id));
    const rows = tables("pairs", ({ product_id: id, other_product_id: other }) => own.has(id) && !siblings.has(other));
    if (!rows.length) return null;
    const nameOf = (id) => (products.has(id) ? objects.productName(products.get(id)) : id);
    return h`<${Section} title="Bought together" note="in one order, all time">
      <${wholesale.Table} caption="Bought together" columns=${togetherColumns({ own, products, nameOf })}
          sort="order_count" size=${MOST_PAIRS} file="bought-together"
          rows=${rows.map((row) => ({ ...row, key: `${row.product_id} ${row.other_product_id}` }))} />
    <//>`;
  }

  wholesale.receive("pages/product/catalogued", { Pictures, Options, Description, Together, factsOf });
})();
