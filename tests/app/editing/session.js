// Runs the extension outside of VS Code: an API with as much of it as the extension uses, a document, and a real server.
// Prints what the providers give, as JSON.  node session.js EXTENSION.js COMMAND FOLDER FILE
"use strict";

const fs = require("fs");
const Module = require("module");
const [extension, command, folder, file] = process.argv.slice(2);

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
class Location { constructor(uri, range) { Object.assign(this, { uri, range }); } }
class TextEdit { constructor(range, newText) { Object.assign(this, { range, newText }); } }
class WorkspaceEdit { constructor() { this.all = {}; } set(uri, edits) { this.all[uri.toString()] = edits; } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class DocumentSymbol { constructor(name, detail, kind, range, selectionRange) { Object.assign(this, { name, detail, kind, range, selectionRange }); } }
class SymbolInformation { constructor(name, kind, container, location) { Object.assign(this, { name, kind, container, location }); } }
class CompletionItem { constructor(label, kind) { Object.assign(this, { label, kind }); } }
class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }
class MarkdownString { constructor(value) { this.value = value; } }
class DocumentHighlight { constructor(range) { this.range = range; } }
class SemanticTokens { constructor(data) { this.data = [...data]; } }
class SemanticTokensLegend { constructor(types, modifiers) { Object.assign(this, { types, modifiers }); } }
class InlayHint { constructor(position, label, kind) { Object.assign(this, { position, label, kind }); } }
class CodeAction { constructor(title, kind) { Object.assign(this, { title, kind }); } }
class CodeLens { constructor(range, command) { Object.assign(this, { range, command }); } }
class EventEmitter { constructor() { this.event = () => {}; } fire() {} dispose() {} }

const uriOf = (text) => ({ toString: () => text, fsPath: decodeURIComponent(text.replace("file://", "")) });
const providers = {};
const commands = {};
const events = {};
const errors = [];
let found = {};
let published = () => {};
const nothing = { dispose() {} };
const register = new Proxy({}, {
  get: (_, name) => (name === "createDiagnosticCollection"
    ? () => ({ set(uri, all) { found[uri.toString()] = all; published(); }, clear() {}, dispose() {} })
    : (...given) => { providers[name] = given[given.length > 1 ? 1 : 0]; return nothing; }),
});
let text = fs.readFileSync(file, "utf8");
const document = { languageId: "horn", version: 1, uri: uriOf(`file://${file}`), getText: () => text };
const on = (name) => (listener) => { events[name] = listener; return nothing; };
const api = {
  Position, Range, Location, TextEdit, WorkspaceEdit, Diagnostic, DocumentSymbol, SymbolInformation, CompletionItem, Hover,
  MarkdownString, DocumentHighlight, SemanticTokens, SemanticTokensLegend, InlayHint, CodeAction, CodeLens, EventEmitter,
  CodeActionKind: { QuickFix: "quickfix" },
  Uri: { parse: uriOf },
  languages: register,
  commands: { registerCommand: (name, run) => { commands[name] = run; return nothing; } },
  window: { showErrorMessage: (said) => errors.push(said), showInformationMessage() {}, showTextDocument: async () => {} },
  workspace: {
    isTrusted: false,
    workspaceFolders: [{ uri: uriOf(`file://${folder}`), name: "folder" }],
    textDocuments: [document],
    getConfiguration: () => ({ get: (name, otherwise) => (name === "command" ? command : otherwise) }),
    createFileSystemWatcher: () => ({ onDidCreate: () => nothing, onDidChange: () => nothing, onDidDelete: () => nothing, dispose() {} }),
    onDidOpenTextDocument: on("open"), onDidCloseTextDocument: on("close"), onDidSaveTextDocument: on("save"),
    onDidChangeTextDocument: on("change"),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? api : load(name, ...rest));

async function main() {
  const { activate, deactivate } = require(extension);
  const looked = () => new Promise((resolve) => { published = resolve; });
  let waiting = looked();
  await activate({ subscriptions: [] });
  await waiting;
  const token = { onCancellationRequested() {} };
  const lines = text.split("\n");
  const row = lines.findIndex((line) => line.includes("good(?p)"));
  const place = new Position(row, lines[row].indexOf("good"));
  const whole = new Range(new Position(0, 0), new Position(lines.length, 0));
  const result = {
    wrong: Object.values(found).flat().length,
    completion: (await providers.registerCompletionItemProvider.provideCompletionItems(document, place, token)).map((each) => each.label),
    hover: (await providers.registerHoverProvider.provideHover(document, place, token)).contents.value,
    definition: (await providers.registerDefinitionProvider.provideDefinition(document, place, token)).uri.toString(),
    references: (await providers.registerReferenceProvider.provideReferences(document, place, { includeDeclaration: true }, token)).length,
    highlights: (await providers.registerDocumentHighlightProvider.provideDocumentHighlights(document, place, token)).length,
    renamable: await providers.registerRenameProvider.prepareRename(document, place, token),
    renamed: Object.keys((await providers.registerRenameProvider.provideRenameEdits(document, place, "fine", token)).all).length,
    symbols: (await providers.registerDocumentSymbolProvider.provideDocumentSymbols(document, token)).map((each) => each.name),
    everywhere: (await providers.registerWorkspaceSymbolProvider.provideWorkspaceSymbols("good", token)).map((each) => each.name),
    formatted: (await providers.registerDocumentFormattingEditProvider.provideDocumentFormattingEdits(document, { tabSize: 2, insertSpaces: true }, token)).length,
    tokens: (await providers.registerDocumentSemanticTokensProvider.provideDocumentSemanticTokens(document, token)).data.length,
    hints: (await providers.registerInlayHintsProvider.provideInlayHints(document, whole, token)).map((each) => each.label),
    lenses: (await providers.registerCodeLensProvider.provideCodeLenses(document, token)).length,
  };
  const start = place;
  const end = new Position(row, place.character + 4);
  text = text.replace("good(?p)", "godo(?p)");
  document.version = 2;
  waiting = looked();
  events.change({ document, contentChanges: [{ range: new Range(start, end), text: "godo" }] });
  await waiting;
  const diagnostics = found[document.uri.toString()];
  result.mistake = diagnostics.map((each) => [each.code, each.severity, each.range.start.line - row]);
  const actions = await providers.registerCodeActionsProvider.provideCodeActions(document, diagnostics[0].range, { diagnostics }, token);
  result.fixes = actions.map((each) => each.title);
  await deactivate();
  result.errors = errors;
  console.log(JSON.stringify(result));
}

main().catch((problem) => { console.error(problem); process.exit(1); });
