"""Vocabulary of the world: people, places, companies, and what they trade in."""

from typing import NamedTuple


class City(NamedTuple):
    """A city; `zip3` are the digits its postcodes begin with."""

    city: str
    state: str
    zip3: str
    area: str


class Product(NamedTuple):
    """A kind of thing: its unit price in thousandths and the options it is sold in."""

    noun: str
    lowest: int
    highest: int
    options: tuple[str, ...]


def _listed(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(","))


FIRST_NAMES = _listed(
    """
    Aaliyah, Adriana, Aisha, Alan, Alejandro, Amélie, Andrea, Anna, Anthony, Aurora, Beatriz,
    Benjamin, Björn, Brooke, Caleb, Carla, Carmen, Charlotte, Chloé, Claire, Colin, Dana, Daniel,
    Darnell, Deborah, Diego, Eleanor, Elías, Emma, Erin, Ethan, Fatima, Fiona, Frances, Gabriel,
    George, Grace, Hannah, Héctor, Henry, Ingrid, Isaac, Isabel, Jacob, James, Jasmine, Jesús,
    José, Joyce, Julia, Karen, Keisha, Kenji, Laura, Leah, Liam, Linda, Lucía, Maeve, Marcus,
    Margaret, María, Martin, Maya, Mei, Michael, Monique, Naomi, Nathan, Nicole, Noah, Noémie,
    Olivia, Oscar, Patricia, Paul, Priya, Quinn, Rachel, Ramón, Rebecca, Renée, Robert, Rosa,
    Ruth, Samuel, Sarah, Seán, Simone, Sofía, Stephen, Susan, Thérèse, Thomas, Tyler, Valerie,
    Victor, Walter, Wei, William, Xavier, Yasmin, Zoë
    """
)

SURNAMES = _listed(
    """
    Abbott, Ahmed, Alvarez, Anderson, Baker, Barrett, Bauer, Beaumont, Bennett, Bergström,
    Bianchi, Boone, Brooks, Callahan, Campbell, Carter, Castillo, Chandler, Chen, Clarke, Collins,
    Cooper, Côté, Cruz, Dawson, Delgado, Desjardins, Dupré, Ellison, Evans, Fitzgerald, Fleming,
    Flores, Foster, Fournier, Gallagher, García, Gibson, Gómez, Graham, Greene, Gutiérrez, Hale,
    Hansen, Harper, Hawkins, Hayes, Hernández, Hoffmann, Howard, Hughes, Ibáñez, Jensen,
    Johansson, Kaplan, Keller, Kim, Knight, Kowalski, Lambert, Larsen, Lefèvre, Levine, Lindqvist,
    López, Maddox, Marlowe, Marsh, Martínez, McAllister, Mejía, Mercer, Miller, Mitchell, Morales,
    Müller, Muñoz, Nakamura, Nguyen, Núñez, O'Brien, O'Connor, Okafor, Olsen, Ortiz, Park, Patel,
    Peña, Pérez, Peterson, Quigley, Ramírez, Reed, Reyes, Rivera, Robinson, Rossi, Russo, Sánchez,
    Schäfer, Schneider, Shah, Sinclair, Sørensen, Sullivan, Tanaka, Thatcher, Torres, Tran,
    Vasquez, Walker, Walsh, Weber, Whitaker, Wilder, Winslow, Yamamoto, Young, Zamora, Zimmermann
    """
)

PLACES = (
    City("Boston", "MA", "021", "617"),
    City("Northampton", "MA", "010", "413"),
    City("Providence", "RI", "029", "401"),
    City("Portsmouth", "NH", "038", "603"),
    City("Portland", "ME", "041", "207"),
    City("Burlington", "VT", "054", "802"),
    City("New Haven", "CT", "065", "203"),
    City("Newark", "NJ", "071", "973"),
    City("Princeton", "NJ", "085", "609"),
    City("San Juan", "PR", "009", "787"),
    City("Mayagüez", "PR", "006", "787"),
    City("New York", "NY", "100", "212"),
    City("Brooklyn", "NY", "112", "718"),
    City("Buffalo", "NY", "142", "716"),
    City("Pittsburgh", "PA", "152", "412"),
    City("Philadelphia", "PA", "191", "215"),
    City("Baltimore", "MD", "212", "410"),
    City("Washington", "DC", "200", "202"),
    City("Richmond", "VA", "232", "804"),
    City("Asheville", "NC", "288", "828"),
    City("Charleston", "SC", "294", "843"),
    City("Savannah", "GA", "314", "912"),
    City("Atlanta", "GA", "303", "404"),
    City("Miami", "FL", "331", "305"),
    City("Tampa", "FL", "336", "813"),
    City("Nashville", "TN", "372", "615"),
    City("Louisville", "KY", "402", "502"),
    City("Columbus", "OH", "432", "614"),
    City("Detroit", "MI", "482", "313"),
    City("Chicago", "IL", "606", "312"),
    City("Madison", "WI", "537", "608"),
    City("Minneapolis", "MN", "554", "612"),
    City("Saint Louis", "MO", "631", "314"),
    City("Kansas City", "MO", "641", "816"),
    City("New Orleans", "LA", "701", "504"),
    City("Houston", "TX", "770", "713"),
    City("Austin", "TX", "787", "512"),
    City("Denver", "CO", "802", "303"),
    City("Boise", "ID", "837", "208"),
    City("Salt Lake City", "UT", "841", "801"),
    City("Phoenix", "AZ", "850", "602"),
    City("Santa Fe", "NM", "875", "505"),
    City("Española", "NM", "875", "505"),
    City("Las Vegas", "NV", "891", "702"),
    City("Los Angeles", "CA", "900", "213"),
    City("San Diego", "CA", "921", "619"),
    City("San José", "CA", "951", "408"),
    City("San Francisco", "CA", "941", "415"),
    City("Honolulu", "HI", "968", "808"),
    City("Portland", "OR", "972", "503"),
    City("Seattle", "WA", "981", "206"),
)

# Some buyers are Canadian: a postcode with letters and a blank.
CANADIAN_PLACES = (
    ("Montréal", "QC", "H2X 1Y4", "514"),
    ("Québec", "QC", "G1R 4P5", "418"),
    ("Toronto", "ON", "M5V 2T6", "416"),
    ("Vancouver", "BC", "V6B 1A1", "604"),
)

STREETS = _listed(
    """
    Main St, Market St, Elm St, Maple Ave, Washington St, Commerce Blvd, Harbor Rd, Mill Ln, Front
    St, Industrial Way, Railroad Ave, Church St, Canal St, Broadway, Orchard Rd, Peachtree St NE,
    River Rd, Old Post Rd, Park Ave, Warehouse Row, Camino del Río, Union Sq, Prospect St, County
    Road 12
    """
)

SHOP_TRADES = _listed(
    """
    Gifts, Home & Gift, Mercantile, General Store, Provisions, Gallery, Boutique, Books & Gifts,
    Kitchen, Garden Center, Market, Fine Foods, Trading Post, Paper Goods, Interiors, Hardware,
    Apothecary, Flowers & Gifts, Toys, Emporium, Supply, Café, Tea Room, Pharmacy, Outfitters
    """
)

SHOP_NAMES = _listed(
    """
    Acorn, Blue Door, Brass Button, Copper Kettle, Corner, Cottage, Daffodil, Driftwood, Fox &
    Fern, Gilded Lily, Golden Hour, Hearth, Honeycomb, Iron Gate, Juniper, Lantern, Lighthouse,
    Little Wren, Marigold, Mulberry, Nook, Old Mill, Olive Branch, Paper Moon, Pine & Petal, Red
    Barn, Rosemary, Salt, Seaglass, Silver Birch, Sparrow, Sunday, Tin Roof, Wandering Goat,
    Whistle Stop, Wildflower, Willow
    """
)

# What a vendor mainly sells (a top category) -> names of such vendors.
VENDORS = {
    "Home": _listed(
        """
        Alder & Ash Candle Works, Cedar Hollow Woodcraft, Emberly Home Fragrance, Fjord & Loom
        Textiles, Harborlight Glass, Heirloom Linen Mill, Nightingale Candles, Old Harbor Rope &
        Home, Paloma Textiles, Piedmont Basket Company, Saltbox Home, Sierra Soy Candles, Wexford
        Wool
        """
    ),
    "Kitchen": _listed(
        """
        Bluebird Ceramics, Casa Núñez Imports, Copperline Kitchenware, Mesa Verde Pottery, North
        Shore Enamelware, Quarry Street Slate, Stonebridge Cutlery, Umber Clay Studio
        """
    ),
    "Food & Drink": _listed(
        """
        Chesapeake Spice Traders, Granite State Maple, Honeybee Pantry, La Crème Confections,
        Lowcountry Tea Company, Marble Hill Chocolate, Orchard Lane Preserves, Pepper & Pine
        Foods, Riverstone Roasters, San Isidro Olive Oils, Sugarhouse Sweets, Village Bee Honey
        """
    ),
    "Stationery": _listed(
        """
        Cardinal Paper Goods, Fable & Fern Stationery, Indigo Thread & Press, Meadowlark
        Greetings, Prairie Sky Prints, Summit Enamel Pins, Tinker & Twine, Wild Poppy Paper
        """
    ),
    "Bath & Body": _listed(
        """
        Brightwater Soap Company, Juniper Ridge Apothecary, Larkspur Bath & Body, Rosewater & Co.,
        Tideline Salts, Verbena Body Care
        """
    ),
    "Toys": _listed(
        """
        Dovetail Toys, Kestrel & Kit, Little Acorn Baby, Pemberton Puzzles, Red Wagon Games,
        Zephyr Kites & Toys
        """
    ),
    "Seasonal": _listed(
        """
        Green Gate Garden Goods, Kindling Holiday Décor, Moonrise Ornaments, Oak & Thistle Farm,
        Sweetgrass Weavers, Verdant Row Seeds, Winterberry Trading
        """
    ),
}

BRAND_WORDS = _listed(
    """
    Atelier, Beacon, Bramble, Canopy, Clover, Dapple, Everly, Farrow, Gather, Harvest, Isle,
    Jolie, Kindred, Linden, Maison, Nest, Ondine, Plume, Quill, Rústica, Sorrel, Thistle, Vesper,
    Wren, Yarrow
    """
)

STYLES = _listed(
    """
    Amber, Botanical, Brushed Brass, Cedar & Sage, Cinnamon, Classic, Coastal, Country, Fleur,
    Floral, Folk Art, Forest, Frosted, Gingham, Hand-Painted, Harvest, Heirloom, Herringbone,
    Honey, Jalapeño, Lavender, Lemon Verbena, Linen, Maple, Marbled, Meadow, Midnight, Mini,
    Mulled Cider, Nordic, Ocean, Organic, Petite, Rainbow, Recycled, Ribbed, Rose, Rustic,
    Scalloped, Sea Salt, Speckled, Striped, Vanilla Crème, Vintage, Wildflower, Winter
    """
)

# Top category -> its categories -> what is sold there.
ASSORTMENT: dict[str, dict[str, tuple[Product, ...]]] = {
    "Home": {
        "Candles": (
            Product("Soy Candle", 6500, 14000, ("Size",)),
            Product("Taper Candles, Pair", 3250, 7000, ("Colour",)),
            Product("Tealights", 1125, 4500, ("Pack",)),
        ),
        "Décor": (
            Product("Bud Vase", 4000, 11000, ("Colour",)),
            Product("Picture Frame", 5500, 16000, ("Size",)),
            Product("Wall Hanging", 9000, 28000, ()),
        ),
        "Textiles": (
            Product("Throw", 18000, 42000, ("Size", "Colour")),
            Product("Cushion Cover", 8500, 19000, ("Size", "Colour")),
            Product("Table Runner", 9500, 21000, ()),
        ),
    },
    "Kitchen": {
        "Tableware": (
            Product("Mug", 4250, 9500, ("Colour",)),
            Product("Serving Bowl", 12000, 32000, ("Size",)),
            Product("Napkins, Set of 4", 7500, 14000, ("Colour",)),
        ),
        "Cook's Tools": (
            Product("Wooden Spoon", 2125, 6000, ()),
            Product("Tea Towel", 3750, 7500, ("Design",)),
            Product("Cutting Board", 11500, 34000, ("Size",)),
        ),
    },
    "Food & Drink": {
        "Pantry": (
            Product("Jam", 2875, 5250, ("Size",)),
            Product("Finishing Salt", 2500, 5500, ()),
            Product("Olive Oil", 7500, 16500, ("Size",)),
        ),
        "Sweets": (
            Product("Chocolate Bar", 1875, 4500, ("Pack",)),
            Product("Caramels", 3500, 8000, ("Pack",)),
            Product("Hard Candy", 375, 1250, ("Pack",)),
        ),
        "Tea & Coffee": (
            Product("Loose Leaf Tea", 4500, 9000, ("Size",)),
            Product("Coffee Beans", 6250, 9750, ("Size",)),
        ),
    },
    "Stationery": {
        "Greeting Cards": (
            Product("Birthday Card", 1375, 2750, ("Design",)),
            Product("Thank You Notes, Box of 8", 6000, 9000, ("Design",)),
        ),
        "Desk": (
            Product("Notebook", 3500, 9000, ("Colour",)),
            Product("Enamel Pin", 2250, 5000, ()),
            Product("Sticker Sheet", 625, 1875, ()),
        ),
    },
    "Bath & Body": {
        "Soap": (
            Product("Bar Soap", 2375, 4750, ("Scent",)),
            Product("Hand Wash", 4500, 8500, ("Scent",)),
        ),
        "Body Care": (
            Product("Hand Cream", 3750, 8250, ("Scent",)),
            Product("Bath Salts", 4250, 9250, ("Size",)),
            Product("Lip Balm", 1125, 2250, ("Scent",)),
        ),
    },
    "Toys": {
        "Play": (
            Product("Wooden Puzzle", 6500, 15000, ()),
            Product("Plush Animal", 6000, 13500, ("Size",)),
            Product("Card Game", 4750, 9750, ()),
        ),
        "Baby": (
            Product("Teether", 3500, 7000, ("Colour",)),
            Product("Swaddle Blanket", 8500, 16000, ("Size", "Colour")),
        ),
    },
    "Seasonal": {
        "Ornaments": (
            Product("Ornament", 2375, 8000, ("Design",)),
            Product("Garland", 6500, 15500, ()),
        ),
        "Garden": (
            Product("Planter", 7500, 26000, ("Size",)),
            Product("Seed Packet", 875, 2125, ()),
        ),
    },
}

OPTION_VALUES = {
    "Size": ("Small", "Medium", "Large", "Extra Large"),
    "Colour": ("Natural", "Indigo", "Sage", "Terracotta", "Charcoal", "Blush"),
    "Pack": ("Single", "Pack of 3", "Pack of 6", "Case of 12"),
    "Design": ("No. 1", "No. 2", "No. 3", "No. 4", "No. 5"),
    "Scent": ("Unscented", "Lavender", "Citrus", "Cedar", "Rose"),
}

BUYER_COMMENTS = (
    "Please ship everything together.",
    "Can we add one more case before it ships?",
    "Delivery after 10 a.m. only, the dock is closed before.",
    "Partial shipment is fine.",
    "Our café opens on the 15th — please rush.",
    "Invoice goes to the head office.",
    "Hold until the new season's cards are in.",
    "Thank you for the quick turnaround! 🎉",
)

VENDOR_COMMENTS = (
    "Backordered item will follow next week.",
    "Customer called: the address is right, use the side entrance.",
    'Marked "fragile", two boxes.',
    "Substituted sage for indigo, OK'd by phone.",
    "Left with the carrier this morning.",
    "Price of the old list honoured.",
)
