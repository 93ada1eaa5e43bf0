"""Definitions of the eight topics of Reuters R8 for bench_classify.py."""

from __future__ import annotations

from digestlog.core.categories import Category

# Written before any of the texts was looked at, and not changed since: see docs/classifier.md.
REUTERS = (
    Category(
        "earn",
        "What companies earned or lost in a quarter or a year, and the dividends that they pay",
        tuple("earnings profit loss net dividend quarter revenue results income payout quarterly".split())
        + ("per share", "net income", "net loss", "year ago"),
    ),
    Category(
        "acq",
        "Companies that buy, sell or merge with other companies, or take a stake in them",
        tuple(
            "acquisition acquire merger takeover stake bid buyout offer shareholder tender subsidiary"
            " acquired purchase merge".split()
        )
        + ("tender offer", "common stock"),
    ),
    Category(
        "crude",
        "Crude oil: production, prices, exploration and the countries that export it",
        tuple(
            "oil crude barrel opec petroleum drilling refinery energy gasoline pipeline exploration".split()
        )
        + ("saudi arabia", "oil prices", "barrels per day"),
    ),
    Category(
        "grain",
        "Wheat, corn, barley and other grain: harvests, stocks and sales abroad",
        tuple("grain wheat corn maize barley rice soybean crop harvest farmer tonnes agriculture".split()),
    ),
    Category(
        "interest",
        "Interest rates: what central banks and banks charge, and by how much they raise or cut it",
        tuple("discount lending prime deposit percentage borrowing cut".split())
        + (
            "interest rate",
            "interest rates",
            "prime rate",
            "discount rate",
            "base rate",
            "base lending rate",
        ),
    ),
    Category(
        "money-fx",
        "Currencies, exchange rates, and central banks in the money and foreign exchange markets",
        tuple(
            "dollar currency yen mark sterling intervention liquidity currencies dealers bundesbank".split()
        )
        + ("exchange rate", "exchange rates", "foreign exchange", "money market", "central bank"),
    ),
    Category(
        "ship",
        "Ships, ports, cargo and those who work there",
        tuple("ship vessel port tanker cargo shipping freight seamen strike dock crew ferry gulf".split()),
    ),
    Category(
        "trade",
        "Trade between countries: surpluses, deficits, tariffs and protection",
        tuple(
            "trade export import deficit surplus tariff protectionism sanctions quota gatt"
            " retaliation".split()
        )
        + ("trade deficit", "trade surplus", "free trade"),
    ),
)
