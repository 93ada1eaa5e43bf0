from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.categories import Category, merged


def test_merged_takes_all_that_is_said_of_a_name() -> None:
    one = Category("a", "x", ("k",))
    two = Category("b")
    assert merged([one, two]) == [one, two]
    assert merged([one, two, Category("a", None, ("l",)), Category("a", "y")]) == [
        Category("a", "x y", ("k", "l")),
        two,
    ]
    assert merged([two, two]) == [two]


CATEGORIES = st.lists(
    st.builds(
        Category,
        st.sampled_from(["a", "b", ""]),
        st.none() | st.sampled_from(["", "x", "y z"]),
        st.lists(st.sampled_from("klm"), max_size=2).map(tuple),
    )
)


@given(CATEGORIES)
def test_merging_names_each_once_in_order_and_loses_no_keyword(categories: list[Category]) -> None:
    found = merged(categories)
    assert [category.name for category in found] == list(dict.fromkeys(each.name for each in categories))
    for category in found:
        same = [each for each in categories if each.name == category.name]
        assert category.keywords == tuple(keyword for each in same for keyword in each.keywords)
    assert merged(found) == found
