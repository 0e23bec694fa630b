"""The options that are made from declared settings."""

from dataclasses import replace

import pytest

from solvers.settings import settings_of
from svmviz.cli import export_options
from svmviz.cli.parser import Parser
from svmviz.export.declared import defaults_of, option_of, options_from
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.runs.run_settings import RunSettings

DECLARED = [(owner, name) for owner in (FigureSettings, RunSettings) for name in settings_of(owner)]


def other_value(owner, name):
    """A value of a setting that is not its default."""
    spec, default = settings_of(owner)[name], defaults_of(owner)[name]
    if spec.scale == "switch":
        return not default
    if spec.scale == "choice":
        return next(key for key, _ in spec.choices if key != default)
    return "-o <b>" if spec.scale == "text" else 0.25 * spec.low + 0.75 * spec.high


def parse(options):
    parser = Parser()
    export_options.add_figure_options(parser)
    export_options.add_run_options(parser)
    given = parser.parse_args(["-o", "a.pdf", *options])
    figure = export_options.read_figure_settings(given, parser)
    return export_options.read_run_settings(given, figure)


@pytest.mark.parametrize(("owner", "name"), DECLARED)
def test_every_declared_setting_arrives(owner, name):
    settings = replace(owner(), **{name: other_value(owner, name)})
    run = parse(options_from(settings))
    assert (run.picture if owner is FigureSettings else run) == settings


def test_without_options_the_defaults_arrive():
    assert parse([]) == RunSettings()


@pytest.mark.parametrize(("owner", "name"), DECLARED)
def test_a_number_beyond_its_limits_is_refused_with_them(owner, name, capsys):
    spec = settings_of(owner)[name]
    if spec.scale != "linear":
        return
    for number in (spec.low - 0.01, spec.high * 1.01):
        with pytest.raises(SystemExit):
            parse([f"{option_of(owner, name)}={number}{spec.unit}"])
        sentence = capsys.readouterr().err
        assert all(f"{limit:g}" in sentence for limit in (spec.low, spec.high)), sentence
