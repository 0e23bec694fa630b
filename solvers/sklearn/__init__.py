"""The methods as scikit-learn estimators, for pipelines, grid searches and displays.

>>> from solvers.sklearn import SVMClassifier
>>> model = SVMClassifier(method="interior-point", kernel="rbf", C=10.0).fit(X, y)
>>> model.runs_[0].at(3).event.sentence

This room needs the optional extra ``sklearn``; ``import solvers`` does not import it.
"""

from solvers.sklearn.classifier import SVMClassifier
from solvers.sklearn.regressor import SVMRegressor

__all__ = ["SVMClassifier", "SVMRegressor"]
