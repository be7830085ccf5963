// The client of `hornbook theory lsp` for VS Code: plain JavaScript on the API of VS Code alone, so that nothing has to be installed
// or built. What the server sends is turned into what VS Code takes, and the other way round.
"use strict";

const { spawn } = require("child_process");
const vscode = require("vscode");

const HORN = { language: "horn" };

/** One server: requests with their answers, and notifications, as JSON with a length before it. */
class Server {
  constructor(command, args, cwd, onNotification, onRequest, onEnd) {
    this.next = 1;
    this.waiting = new Map();
    this.read = Buffer.alloc(0);
    this.onNotification = onNotification;
    this.onRequest = onRequest;
    this.process = spawn(command, args, { cwd });
    this.process.on("error", (problem) => this.end(onEnd, problem.message));
    this.process.on("exit", (code) => this.end(onEnd, `it ended with exit code ${code}`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.take(data));
  }

  end(onEnd, why) {
    if (this.ended) return;
    this.ended = true;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
    onEnd(why);
  }

  send(message) {
    if (this.ended) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  ask(method, params, token) {
    if (this.ended) return Promise.resolve(null);
    const id = this.next++;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return answer;
  }

  take(data) {
    this.read = Buffer.concat([this.read, data]);
    for (;;) {
      const head = this.read.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.read.toString("ascii", 0, head))[1]);
      if (this.read.length < head + 4 + length) return;
      const message = JSON.parse(this.read.toString("utf8", head + 4, head + 4 + length));
      this.read = this.read.subarray(head + 4 + length);
      this.handle(message);
    }
  }

  async handle(message) {
    if (message.method && message.id !== undefined) {
      const result = await this.onRequest(message.method, message.params);
      this.send({ id: message.id, result: result === undefined ? null : result });
    } else if (message.method) {
      this.onNotification(message.method, message.params);
    } else if (this.waiting.has(message.id)) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }
}

// From the server to VS Code; both count lines and units of UTF-16 from 0.

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const edit = (e) => new vscode.TextEdit(range(e.range), e.newText);

function workspaceEdit(changes) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(changes || {})) made.set(vscode.Uri.parse(uri), edits.map(edit));
  return made;
}

function diagnostic(d) {
  const made = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
  made.code = d.code;
  made.source = d.source;
  made.tags = d.tags;
  return made;
}

function symbol(s) {
  const made = new vscode.DocumentSymbol(s.name, s.detail || "", s.kind - 1, range(s.range), range(s.selectionRange));
  made.children = (s.children || []).map(symbol);
  return made;
}

function completion(c) {
  const made = new vscode.CompletionItem(c.label, c.kind - 1);
  Object.assign(made, { detail: c.detail, sortText: c.sortText, filterText: c.filterText });
  made.insertText = c.textEdit.newText;
  made.range = range(c.textEdit.range);
  return made;
}

// From VS Code to the server

const named = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, p) => ({ ...named(document), position: { line: p.line, character: p.character } });
const stretch = (r) => ({
  start: { line: r.start.line, character: r.start.character },
  end: { line: r.end.line, character: r.end.character },
});

let server;
let collection;
let provided = [];
let lensesChanged;

async function start() {
  const settings = vscode.workspace.getConfiguration("hornbook");
  const folders = vscode.workspace.workspaceFolders || [];
  const args = ["lsp", ...settings.get("arguments", [])];
  if (!vscode.workspace.isTrusted && !args.includes("--no-adapters")) args.push("--no-adapters");
  const command = settings.get("command", "hornbook");
  const ended = (why) => {
    collection.clear();
    vscode.window.showErrorMessage(`\`${command} lsp\` does not run: ${why}. Is the setting hornbook.command right, and the extra installed: pip install 'hornbook[editor]'?`);
  };
  const cwd = folders.length ? folders[0].uri.fsPath : undefined;
  const mine = new Server(command, args, cwd, told, asked, (why) => server === mine && ended(why));
  server = mine;
  const roots = folders.map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));
  const asking = mine.ask("initialize", {
    processId: process.pid,
    rootUri: roots.length ? roots[0].uri : null,
    workspaceFolders: roots,
    capabilities: {
      window: { showDocument: { support: true } },
      workspace: { codeLens: { refreshSupport: true }, workspaceFolders: true },
    },
  });
  const answer = await asking.catch(() => null); // that it does not run has been said
  if (!answer) return;
  mine.notify("initialized", {});
  provide(answer.capabilities.semanticTokensProvider.legend);
  vscode.workspace.textDocuments.forEach(opened);
}

function told(method, params) {
  if (method === "textDocument/publishDiagnostics") {
    collection.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
  } else if (method === "window/showMessage") {
    const say = [null, "showErrorMessage", "showWarningMessage"][params.type] || "showInformationMessage";
    vscode.window[say](params.message);
  }
}

async function asked(method, params) {
  if (method === "window/showDocument") {
    await vscode.window.showTextDocument(vscode.Uri.parse(params.uri), { preview: true });
    return { success: true };
  }
  if (method === "workspace/codeLens/refresh") lensesChanged.fire();
  return null;
}

function opened(document) {
  if (document.languageId !== "horn") return;
  const { version } = document;
  const textDocument = { uri: document.uri.toString(), languageId: "horn", version, text: document.getText() };
  server.notify("textDocument/didOpen", { textDocument });
}

function provide(legend) {
  provided.forEach((each) => each.dispose());
  const { languages } = vscode;
  const ask = async (method, params, token) => (await server.ask(`textDocument/${method}`, params, token)) || [];
  provided = [
    languages.registerCompletionItemProvider(HORN, {
      provideCompletionItems: async (document, p, token) => (await server.ask("textDocument/completion", at(document, p), token)).items.map(completion),
    }, "?", "("),
    languages.registerHoverProvider(HORN, {
      provideHover: async (document, p, token) => {
        const found = await server.ask("textDocument/hover", at(document, p), token);
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value), range(found.range));
      },
    }),
    languages.registerDefinitionProvider(HORN, {
      provideDefinition: async (document, p, token) => {
        const found = await server.ask("textDocument/definition", at(document, p), token);
        return found && location(found);
      },
    }),
    languages.registerReferenceProvider(HORN, {
      provideReferences: async (document, p, context, token) => (await ask("references", { ...at(document, p), context }, token)).map(location),
    }),
    languages.registerDocumentHighlightProvider(HORN, {
      provideDocumentHighlights: async (document, p, token) => (await ask("documentHighlight", at(document, p), token)).map((each) => new vscode.DocumentHighlight(range(each.range))),
    }),
    languages.registerRenameProvider(HORN, {
      prepareRename: async (document, p, token) => {
        const found = await server.ask("textDocument/prepareRename", at(document, p), token);
        if (!found) throw new Error("nothing here has a name");
        return range(found);
      },
      provideRenameEdits: async (document, p, newName, token) => {
        const found = await server.ask("textDocument/rename", { ...at(document, p), newName }, token);
        return found && workspaceEdit(found.changes);
      },
    }),
    languages.registerDocumentSymbolProvider(HORN, {
      provideDocumentSymbols: async (document, token) => (await ask("documentSymbol", named(document), token)).map(symbol),
    }),
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query, token) => ((await server.ask("workspace/symbol", { query }, token)) || []).map((each) => new vscode.SymbolInformation(each.name, each.kind - 1, each.containerName || "", location(each.location))),
    }),
    languages.registerDocumentFormattingEditProvider(HORN, {
      provideDocumentFormattingEdits: async (document, options, token) => (await ask("formatting", { ...named(document), options }, token)).map(edit),
    }),
    languages.registerDocumentSemanticTokensProvider(HORN, {
      provideDocumentSemanticTokens: async (document, token) => {
        const found = await server.ask("textDocument/semanticTokens/full", named(document), token);
        return new vscode.SemanticTokens(new Uint32Array(found ? found.data : []));
      },
    }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)),
    languages.registerInlayHintsProvider(HORN, {
      provideInlayHints: async (document, r, token) => (await ask("inlayHint", { ...named(document), range: stretch(r) }, token)).map((each) => new vscode.InlayHint(position(each.position), each.label, each.kind)),
    }),
    languages.registerCodeActionsProvider(HORN, {
      provideCodeActions: async (document, r, context, token) => {
        const diagnostics = context.diagnostics.map((each) => ({ range: stretch(each.range), message: each.message, code: each.code }));
        const found = await ask("codeAction", { ...named(document), range: stretch(r), context: { diagnostics } }, token);
        return found.map((each) => {
          const made = new vscode.CodeAction(each.title, vscode.CodeActionKind.QuickFix);
          made.edit = workspaceEdit(each.edit.changes);
          made.isPreferred = each.isPreferred;
          return made;
        });
      },
    }),
    languages.registerCodeLensProvider(HORN, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document, token) => (await ask("codeLens", named(document), token)).map((each) => new vscode.CodeLens(range(each.range), each.command)),
    }),
  ];
}

function activate(context) {
  collection = vscode.languages.createDiagnosticCollection("hornbook");
  lensesChanged = new vscode.EventEmitter();
  const isHorn = (document) => document.languageId === "horn";
  const execute = (command) => vscode.commands.registerCommand(command, (...given) => server.ask("workspace/executeCommand", { command, arguments: given }));
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.horn");
  const changed = (type) => (uri) => server.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type }] });
  context.subscriptions.push(
    collection,
    lensesChanged,
    watcher,
    execute("hornbook.run"),
    execute("hornbook.learn"),
    vscode.commands.registerCommand("hornbook.restart", async () => {
      deactivate();
      await start();
    }),
    watcher.onDidCreate(changed(1)),
    watcher.onDidChange(changed(2)),
    watcher.onDidDelete(changed(3)),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument((document) => isHorn(document) && server.notify("textDocument/didClose", named(document))),
    vscode.workspace.onDidSaveTextDocument((document) => isHorn(document) && server.notify("textDocument/didSave", named(document))),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isHorn(document) || !contentChanges.length) return;
      const changes = contentChanges.map((each) => ({ range: stretch(each.range), text: each.text }));
      const textDocument = { uri: document.uri.toString(), version: document.version };
      server.notify("textDocument/didChange", { textDocument, contentChanges: changes });
    }),
  );
  return start();
}

function deactivate() {
  const old = server;
  server = undefined;
  provided.forEach((each) => each.dispose());
  provided = [];
  if (old && !old.ended) {
    return old.ask("shutdown", null).then(() => old.notify("exit", null), () => {});
  }
  return undefined;
}

module.exports = { activate, deactivate };
