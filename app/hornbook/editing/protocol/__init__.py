"""The protocol between the language server and an editor: headers, and messages of JSON-RPC, and diagnostics
in its form.
"""
