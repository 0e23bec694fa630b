"""Menus of the options of the plane: they change the options, and follow them."""

from PySide6.QtWidgets import QWidget

from solvers.settings import settings_of
from svmviz.document.view_options import ViewOptions
from svmviz.stage.view_state import ViewState
from svmviz.window.menus.option_menus import OptionMenus


def test_each_option_has_its_entries_and_the_shading_can_be_chosen(qtbot):
    parent, view = QWidget(), ViewState()
    qtbot.addWidget(parent)
    menus = OptionMenus(view, parent)
    wanted = set()
    for name, spec in settings_of(ViewOptions).items():
        values = [value for value, _ in spec.choices]
        wanted |= {f"{name}-{value}" for value in values} if values else {f"layer-{name}"}
    # The decision has an entry of its own.
    assert set(menus.actions) == wanted - {"layer-decision"}
    strong, sure = menus.actions["shading-band"], menus.actions["shading-sure"]
    menu = next(menu for menu in menus.menus if sure in menu.actions())
    for chosen, other in ((strong, sure), (sure, strong)):
        chosen.trigger()
        assert view.options.shading == chosen.data()
        menu.aboutToShow.emit()
        assert chosen.isChecked()
        assert not other.isChecked()
    view.set(shading="band")
    menu.aboutToShow.emit()
    assert strong.isChecked()
