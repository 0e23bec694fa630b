"""The description of the package: README.md, with links that hold outside the repository."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"(!\[[^\]]*\]\()(?![a-z]+:|#)")
LINK = re.compile(r"((?<!!)\[[^\]]*\]\()(?![a-z]+:|#)")


class ReadmeHook(MetadataHookInterface):
    """A hook of the build, which begins relative links with the addresses of pyproject.toml."""

    def update(self, metadata: dict) -> None:
        """Set the description of the package."""
        source = metadata["urls"]["Source"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = PICTURE.sub(rf"\1{source}/raw/main/", text)
        text = LINK.sub(rf"\1{source}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
