"""site.py : a hook of MkDocs (mkdocs.yml) that makes a site of the pages as they are
SPDX-License-Identifier: Apache-2.0

Pages are written for readers of the tree: they link to sources, and lists follow a paragraph without a blank line. The
hook copies pages, and the files that they link to, into a temporary folder with the folders of the tree; gives headings
the names that links use; and puts the blank lines in that MkDocs needs. Pages that mkdocs.yml does not list become a
part of the last group.
"""
import atexit
import os
import posixpath
import re
import shutil
import tempfile

LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
BLOCK = re.compile(r" *(?:[-*+] |\d+\. |\|)")


def slug(text, separator):
    """The name of a heading, as lint.links has it: lower case, blanks to '-', other signs left out."""
    return re.sub(r"[^a-z0-9_-]", "", re.sub(r"[A-Z ]", lambda m: "-" if m[0] == " " else m[0].lower(), text.strip()))


def pages_of(root):
    found = ["README.md", "CONTRIBUTING.md"]
    for top in ("docs", "models", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith(".md")]
    return sorted(found)


def listed(nav):
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from listed(value)


def outside_code(text):
    """(line, whether it is code) for each line."""
    fence = False
    for line in text.split("\n"):
        mark = line.lstrip().startswith("```")
        yield line, fence or mark
        fence ^= mark


def on_config(config):
    root = os.path.dirname(os.path.abspath(config["config_file_path"]))
    stage = tempfile.mkdtemp(prefix="tern-site.")
    atexit.register(shutil.rmtree, stage, True)
    pages = pages_of(root)
    wanted = set(pages)
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as f:
            text = f.read()
        for line, code in outside_code(text):
            for _, target, _ in () if code else LINK.findall(re.sub(r"`[^`]*`", "", line)):
                path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
                if "://" not in target and os.path.isfile(os.path.join(root, path)):
                    wanted.add(path)
    for path in sorted(wanted):
        os.makedirs(os.path.join(stage, os.path.dirname(path)), exist_ok=True)
        shutil.copyfile(os.path.join(root, path), os.path.join(stage, path))
    missing = [p for p in pages if p not in set(listed(config["nav"]))]
    if missing:
        list(config["nav"][-1].values())[0].extend({posixpath.splitext(p)[0]: p} for p in missing)
    config["docs_dir"] = stage
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    config["root"] = root
    return config


def on_page_markdown(markdown, page, config, files):
    here = posixpath.dirname(page.file.src_path)

    def link(m):
        path = posixpath.normpath(posixpath.join(here, m[2]))
        if "://" in m[2] or not os.path.isdir(os.path.join(config["root"], path)):
            return m[0]
        return m[1] + "#" + ")"  # a folder of the tree: no page of the site

    out = []
    for line, code in outside_code(markdown):
        if not code:
            parts = re.split(r"(`[^`]*`)", line)
            line = "".join(p if p.startswith("`") else p for p in parts)
            line = LINK.sub(link, line)
            before = out[-1] if out else ""
            starts = BLOCK.match(line)
            same = BLOCK.match(before) or before.startswith("  ") or not before.strip() or before.startswith("#")
            if starts and not same:
                out.append("")
            if re.match(r"  (?:[-*+]|\d+\.) ", line):
                line = "  " + line
        out.append(line)
    return "\n".join(out)
