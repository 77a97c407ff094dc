"""Texts that people leave in tictactoe.yaml, and whether each counts as setting nothing.

`SET` has the texts that count as setting something; those in `PLAYED_AS_EMPTY` set nothing for the box, in a
way that only YAML's parser sees, or by a mistake.
"""

UNSET = {
    "empty": b"",
    "no line end": b"display:",
    "blank lines": b"\n  \n\n",
    "comment": b"# mine: the one in the kitchen\n",
    "comment in German": "# für die Küche:\n".encode(),
    "comment in Latin-1": "# für die Küche:\n".encode("latin-1"),
    "comment with a tab": b"#\tlanguage: de\n",
    "indented comment": b"  # language: de\n",
    "key with #": b"#language: de\n",
    "sections": b"game:\n  #level: hard\n\ndisplay:\n",
    "Windows' line ends": b"# mine\r\ngame:\r\n  #level: hard\r\n",
    "old Mac's line ends": b"# mine\rgame:\r  #level: hard\r",
    "byte order mark": b"\xef\xbb\xbf# mine\ngame:\n",
    "byte order mark before a section": b"\xef\xbb\xbfgame:\r\n",
    "section with spaces": b"game:  \n",
    "section with a comment": b"game: # mine:\n",
    "section that is none": b"games:\n",
    "key without its value": b"language:\n",
    "key without its value, with a comment": b"language: # de\n",
}
SET = {
    "key": b"language: de\n",
    "key with a comment": b"language: de # mine\n",
    "key with a comment that ends in a colon": b"language: de # mine:\n",
    "quoted key": b'"language": de\n',
    "quoted value that ends in a colon": b'state: "/games:"\n',
    "flow mapping": b"{language: de}\n",
    "flow mapping over two lines": b"{language:\n  de}\n",
    "section in flow style": b"display: {driver: sh1106}\n",
    "key below a section": b"game:\n  level: hard\n",
    "key below a key in a comment": b"# language:\nlanguage: de\n",
    "value on the next line": b"language:\n  de\n",
    "explicit key": b"? language\n: de\n",
    "key after ---": b"---\nlanguage: de\n",
    "key after a byte order mark": b"\xef\xbb\xbflanguage: de\n",
    "key after an old Mac's line end": b"# mine:\rlanguage: de\r",
    "key in UTF-16": "language: de\n".encode("utf-16"),
}
PLAYED_AS_EMPTY = {
    "---": b"---\n",
    "---, comment": b"--- # mine:\n",
    "{}": b"{}\n",
    "section {}": b"game: {}\n",
    "quoted section": b'"game":\n',
    "section with a tab": b"game:\t\n",
    "comment after a tab": b"\t# mine\n",
    "key after a tab": b"\tlanguage: de\n",
    "tab": b"\t\n",
    "comment in UTF-16": "# mine\n".encode("utf-16"),
    "key below a section without its value": b"game:\n  level:\n",
    "no space after the colon": b"language:de\n",
    "no space before the comment": b"game:#mine:\n",
    "value that ends in a colon": b"language: de:\n",
    "list": b"- game:\n",
    "no-break space": "\xa0# mine:\n".encode(),
    "= in place of a colon": b"language=de\n",
    "no colon": b"language de\n",
}
ALL = {**UNSET, **SET, **PLAYED_AS_EMPTY}
