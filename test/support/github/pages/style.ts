/** The style sheet of all pages. */
export const style = `
:root { color-scheme: light dark; --text: #1f2328; --page: #fff; --line: #d1d9e0; --muted: #59636e; --soft: #f6f8fa; --accent: #0969da; --code: #eff1f3; --add: #dafbe1; --del: #ffebe9; --hunk: #ddf4ff; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --page: #0d1117; --line: #3d444d; --muted: #9198a1; --soft: #151b23; --accent: #4493f8; --code: #262c36; --add: #12331d; --del: #3c1618; --hunk: #121d2f; } }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: var(--text); background: var(--page); }
header { background: var(--soft); border-bottom: 1px solid var(--line); padding: 12px 24px; }
main { max-width: 980px; margin: 24px auto; padding: 0 24px; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-weight: 400; font-size: 28px; margin: 0 0 8px; } h1 span { color: var(--muted); }
.state { display: inline-block; color: #fff; border-radius: 2em; padding: 3px 12px; font-weight: 500; background: #1a7f37; }
.state.closed { background: #cf222e; } .state.draft { background: #59636e; } .state.merged { background: #8250df; }
.meta { color: var(--muted); margin-bottom: 20px; }
.label { display: inline-block; border: 1px solid var(--line); border-radius: 2em; padding: 0 8px; font-size: 12px; margin-left: 4px; }
.box { border: 1px solid var(--line); border-radius: 6px; margin: 16px 0; overflow: hidden; }
.box > .head { background: var(--soft); border-bottom: 1px solid var(--line); padding: 8px 16px; color: var(--muted); }
.box > .head strong { color: var(--text); } .box > .body { padding: 4px 16px 8px; overflow-wrap: anywhere; }
.bot { border: 1px solid var(--line); border-radius: 2em; padding: 0 6px; font-size: 11px; }
.event { color: var(--muted); margin: 12px 0 12px 16px; padding-left: 16px; border-left: 2px solid var(--line); }
.event code, .body code { font: 12px ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--code); padding: 2px 4px; border-radius: 4px; }
.thread { border: 1px solid var(--line); border-radius: 6px; margin: 12px 0 12px 24px; }
.thread > .path { background: var(--soft); padding: 6px 12px; font: 12px ui-monospace, monospace; border-bottom: 1px solid var(--line); }
.thread .box { margin: 12px; }
table.diff { border-collapse: collapse; width: 100%; font: 12px/20px ui-monospace, SFMono-Regular, Menlo, monospace; }
table.diff td { padding: 0 10px; white-space: pre-wrap; overflow-wrap: anywhere; } table.diff td.n { color: var(--muted); width: 1%; text-align: right; user-select: none; white-space: nowrap; }
tr.add { background: var(--add); } tr.del { background: var(--del); } tr.hunk { background: var(--hunk); color: var(--muted); }
.code pre { background: var(--soft); border-radius: 6px; padding: 12px; overflow: auto; margin: 8px 0; } .code pre code { background: none; padding: 0; }
.suggestion-title { font-weight: 600; } .lang-suggestion pre { background: var(--add); margin-top: 4px; }
.body table { border-collapse: collapse; display: block; max-width: 100%; overflow-x: auto; } .body table td, .body table th { border: 1px solid var(--line); padding: 4px 10px; }
blockquote { border-left: 4px solid var(--line); margin: 0; padding: 0 16px; color: var(--muted); }
.reactions span { border: 1px solid var(--line); border-radius: 2em; padding: 2px 8px; margin-right: 6px; }
ul.threads { list-style: none; padding: 0; } ul.threads li { border-bottom: 1px solid var(--line); padding: 10px 4px; }
h1, .meta, .event, ul.threads li, .thread > .path, .box > .head { overflow-wrap: anywhere; }
@media (max-width: 640px) {
  header { padding: 12px 16px; } main { margin: 16px auto; padding: 0 12px; } h1 { font-size: 22px; }
  .thread { margin-left: 0; } .thread .box { margin: 8px; } .box > .head, .box > .body { padding-left: 10px; padding-right: 10px; }
  .event { margin-left: 4px; padding-left: 10px; } table.diff td { padding: 0 4px; }
}
`;
