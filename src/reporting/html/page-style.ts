/** The page's whole style. The policy has its hash, so that no other style is loaded. */
export const pageStyle = `
:root{color-scheme:light dark;--bg:#f7f7f9;--card:#fff;--ink:#1b1b24;--dim:#5c5c6b;--line:#dedee6;--soft:#f0f0f5;--accent:#5b2fc0;--accent-soft:#efe9fc;
--good:#12693a;--good-soft:#e2f5e9;--bad:#b0202f;--bad-soft:#fdeaec;--warn:#855300;--warn-soft:#fdf1d9;
--add:#e4f7ea;--add-strong:#aee6c0;--del:#fdecee;--del-strong:#f7bfc6;--hunk:#eceafc;
--cached:#7a8fb8;--written:#4b77c9;--input:#5b2fc0;--output:#c2410c;--children:#0f766e;--price:#5b2fc0;--shadow:0 1px 2px rgb(20 20 40/.06),0 2px 8px rgb(20 20 40/.04)}
@media(prefers-color-scheme:dark){:root{--bg:#101016;--card:#191922;--ink:#e9e9f1;--dim:#a3a3b5;--line:#31313f;--soft:#22222d;--accent:#b79cff;--accent-soft:#2a2142;
--good:#5fd38d;--good-soft:#12301f;--bad:#ff8a94;--bad-soft:#3a171c;--warn:#f0b957;--warn-soft:#33260e;
--add:#11301d;--add-strong:#1f5b36;--del:#3a191d;--del-strong:#74303a;--hunk:#242145;
--cached:#8296be;--written:#5f8de0;--input:#a284f5;--output:#f08a4b;--children:#2fb5a6;--price:#a284f5;--shadow:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:3.4rem}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
code,pre,.diff,.tool,.what,.path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.86em;font-variant-ligatures:none}
code,.what,.tool,.diff td,.event,.title,h1,.by>*,li{unicode-bidi:isolate}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.wrap{max-width:68rem;margin:0 auto;padding:0 1.5rem}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;z-index:9;background:var(--card);padding:.5rem 1rem}
.dim,small{color:var(--dim);font-weight:400}small{font-size:.8em}
.u{display:inline-block;padding:0 .25em;margin:0 .1em;border-radius:3px;background:var(--warn-soft);color:var(--warn);font:600 .78em/1.4 ui-monospace,monospace;white-space:nowrap}
.cut{color:var(--dim);font-style:italic;font-family:inherit}pre .cut{display:block;margin:.4em 0;padding:.2em .6em;background:var(--bg);border-radius:4px}
.top{background:var(--card);border-bottom:1px solid var(--line);padding:1.6rem 0 1.4rem}
.brand{margin:0 0 1.2rem;font-weight:650;letter-spacing:-.01em}.logo{display:inline-block;background:#6d3ad6;color:#fff;font:700 .8rem/1 ui-monospace,monospace;padding:.35em .45em;border-radius:6px;margin-right:.35em}
.pill{display:inline-block;margin:0 0 .6rem;padding:.15rem .75rem;border-radius:99px;font-weight:650;font-size:.9rem;background:var(--soft);color:var(--dim)}
.good{background:var(--good-soft);color:var(--good)}.bad{background:var(--bad-soft);color:var(--bad)}.warning{background:var(--warn-soft);color:var(--warn)}
h1{font-size:clamp(1.35rem,1rem + 1.6vw,2rem);line-height:1.25;letter-spacing:-.02em;margin:0 0 .5rem;font-weight:700;text-wrap:pretty}
.by{margin:0 0 1rem}.stop{padding:.6rem .9rem;border-radius:8px;margin:0 0 1rem}
.facts{display:grid;grid-template-columns:repeat(4,1fr);gap:1px;margin:1.2rem 0 0;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.facts div{background:var(--card);padding:.6rem .85rem}dt{color:var(--dim);font-size:.78rem}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}dd small{display:block;line-height:1.3}
.links{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:1rem 0 0;padding:0;font-size:.92rem}
.links li>a,.links li>code{display:inline-block;padding:.25rem .75rem;border:1px solid var(--line);border-radius:99px;text-decoration:none;background:var(--accent-soft)}.links a:hover{text-decoration:underline}
.toc{position:sticky;top:0;z-index:2;background:var(--bg);border-bottom:1px solid var(--line)}
.toc .wrap{display:flex;flex-wrap:wrap;gap:.1rem 1.3rem;padding-top:.55rem;padding-bottom:.55rem}.toc a{color:var(--dim);text-decoration:none;font-size:.92rem;padding:.1rem 0}.toc a:hover{color:var(--accent)}
section{margin:2.2rem 0;scroll-margin-top:3.4rem}
h2{font-size:1.2rem;letter-spacing:-.01em;margin:0 0 .8rem}h3{font-size:1rem;margin:0 0 .5rem}h4 code{font-size:1em}h4{font-size:.8rem;color:var(--dim);margin:.9rem 0 .3rem;font-weight:600}
.count{display:inline-block;min-width:1.7em;text-align:center;font-size:.78rem;font-weight:600;color:var(--dim);background:var(--soft);border-radius:99px;padding:.05rem .5rem;vertical-align:.12em}
.card,.finding,.chart,.file,.rows{background:var(--card);border:1px solid var(--line);border-radius:10px;box-shadow:var(--shadow)}
.card{padding:1.1rem 1.3rem}
.md>:first-child{margin-top:0}.md>:last-child{margin-bottom:0}.md p,.md ul,.md ol,.md blockquote{margin:.6rem 0}.md .heading{font-weight:700;margin-top:1rem}.md.plain,.md .plain{white-space:pre-wrap}
.md ul,.md ol{padding-left:1.4rem}.md li p{margin:.2rem 0}.md li:has(>.task){list-style:none;margin-left:-1.2rem}
.md code{background:var(--soft);border-radius:4px;padding:.08em .3em}blockquote{border-left:3px solid var(--line);padding-left:1rem;margin-left:0;color:var(--dim)}
pre{margin:.3rem 0;padding:.7rem .9rem;background:var(--soft);border-radius:8px;white-space:pre-wrap;overflow:auto;overflow:auto clip;line-height:1.5;tab-size:4}pre.text{max-height:26rem;overflow:auto}
pre.good{color:var(--ink)}
hr{border:0;border-top:1px solid var(--line)}
.grid{border-collapse:collapse;font-size:.9rem;margin:.6rem 0}.grid th,.grid td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}.grid th{background:var(--soft);font-weight:600}
.numbers td,.numbers th{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}.wide{overflow-x:auto;max-height:26rem}
.plainlist{list-style:none;margin:0;padding:0}.rows{list-style:none;margin:0 0 1rem;padding:0 1.1rem}.rows>li{padding:.6rem 0;border-top:1px solid var(--line)}.rows>li:first-child{border-top:0}
.badge{display:inline-block;border-radius:5px;padding:.02rem .45rem;font-size:.78rem;font-weight:650;background:var(--soft);color:var(--dim)}
.badge.good,.badge.add{background:var(--good-soft);color:var(--good)}.badge.bad,.badge.delete,.badge.critical,.badge.high{background:var(--bad-soft);color:var(--bad)}.badge.warning,.badge.medium,.badge.rename{background:var(--warn-soft);color:var(--warn)}.badge.critical{outline:1px solid currentColor}
.finding{padding:1rem 1.2rem;margin-bottom:.8rem}.finding p.title{margin:0}.finding .where{margin:.1rem 0 .6rem;font-size:.92rem}
details>summary{cursor:pointer}summary::marker{color:var(--dim)}
.ask{margin:.3rem 0 1rem}.ask>div{margin-top:.5rem;padding:.9rem 1.1rem;background:var(--soft);border-radius:8px;max-height:26rem;overflow:auto}
.todos{margin-top:.8rem}.todos ul{margin:.4rem 0 0 .2rem}.todos .completed{color:var(--dim)}.todos .in_progress{font-weight:650}
.file{margin-bottom:.7rem;overflow:clip}.file>summary{padding:.6rem .9rem}.file[open]>summary{border-bottom:1px solid var(--line)}.file>p{margin:.6rem .9rem}
.plus{color:var(--good);font-weight:650;font-size:.88em;white-space:nowrap}.minus{color:var(--bad);font-weight:650;font-size:.88em;white-space:nowrap}p .plus,p .minus{background:none}
.diff{width:100%;border-collapse:collapse;line-height:1.5;table-layout:fixed;font-size:.8rem;overflow:clip}
.diff td{padding:0 .6rem 0 .4rem;white-space:pre-wrap;vertical-align:top;tab-size:4}
.diff .n{width:3.3rem}.diff caption{padding:0}.diff td:nth-child(-n+2){text-align:right;color:var(--dim);user-select:none;padding:0 .5rem;overflow-wrap:normal;white-space:nowrap}
.diff .a{background:var(--add)}.diff .d{background:var(--del)}.diff .h{background:var(--hunk);color:var(--dim)}.diff b{font-weight:inherit;border-radius:2px}.diff .a b{background:var(--add-strong)}.diff .d b{background:var(--del-strong)}
.inside .diff{border:1px solid var(--line);border-radius:8px}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0;margin:0 0 .7rem;font-size:.88rem}.key{display:inline-block;width:.8em;height:.8em;border-radius:3px;margin-right:.45em;vertical-align:-.05em}
.key.cached{background:var(--cached)}.key.written{background:var(--written)}.key.input{background:var(--input)}.key.output{background:var(--output)}.key.children{background:var(--children)}
rect.cached{fill:var(--cached)}rect.written{fill:var(--written)}rect.input{fill:var(--input)}rect.output{fill:var(--output)}rect.children{fill:var(--children)}rect.price{fill:var(--price)}g:hover rect{filter:brightness(1.15)}
.chart{margin:0 0 .8rem;padding:.9rem 1.1rem .6rem}figcaption{font-size:.88rem;font-weight:600;margin-bottom:.6rem}
.plot{display:grid;grid-template-columns:3.6rem 1fr;gap:.6rem}.scale{white-space:nowrap;display:flex;flex-direction:column;justify-content:space-between;list-style:none;margin:-.6em 0;padding:0;text-align:right;font-size:.78rem;line-height:1.2;color:var(--dim);font-variant-numeric:tabular-nums}
.plot svg{display:block;width:100%;height:12rem}.chart.cost .plot svg{height:6rem}.shown .plot{display:block}.shown .axis{padding-left:0;margin-left:0}.shown.sparkline .plot svg{height:4rem}.stroke{fill:none;stroke:var(--input);stroke-width:2;vector-effect:non-scaling-stroke}.dot{fill:var(--input)}
.spec{margin-bottom:.8rem}.stack>*{margin:.5rem 0}.inrow{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center}.line,.metric{margin:.3rem 0}.metric b{font-size:1.3rem}.callout{padding:.6rem .9rem;border-radius:8px;background:var(--soft)}.callout.good,.callout.warning,.callout.bad{color:var(--ink)}.callout.good{background:var(--good-soft)}.callout.warning{background:var(--warn-soft)}.callout.bad{background:var(--bad-soft)}.grid .right{text-align:right;font-variant-numeric:tabular-nums}.grid .middle{text-align:center}.gap{display:block;height:.6rem}progress{accent-color:var(--accent);vertical-align:middle}
.rule{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.axis{display:flex;justify-content:space-between;margin:.4rem 0 0 4.2rem;padding:0;list-style:none;font-size:.78rem;color:var(--dim)}.axis.each li{flex:1;text-align:center}
.filter{border:0;padding:0;margin:0 0 1rem;display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem}.filter legend{float:left;color:var(--dim);margin-right:1rem;padding:0}.filter input{accent-color:var(--accent);margin:0 .35em 0 0;vertical-align:-.1em}
.turns,.items{list-style:none;margin:0;padding:0}.turn{position:relative;padding:0 0 1.4rem 1.5rem;border-left:2px solid var(--line);margin-left:.4rem}.turn:last-child{padding-bottom:0}
.turn::before{content:"";position:absolute;left:-.46rem;top:.35rem;width:.8rem;height:.8rem;border-radius:50%;background:var(--card);border:2px solid var(--accent)}
.turn>h3 .dim{font-size:.84rem;margin-left:.8rem}.turn>.md{margin:0 0 .7rem}
.items>li{margin:0 0 .4rem}.nested{margin:.4rem 0 0 1.3rem;padding-left:.9rem;border-left:2px dotted var(--line)}
.call{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:clip}.call.bad{border-left:4px solid var(--bad)}.call.refused{border-left:4px solid var(--warn)}.call.ok,.call.bad,.call.refused{color:var(--ink)}.call.bad,.call.refused{background:var(--card)}
.call>summary{display:flex;gap:.6rem;align-items:baseline;padding:.4rem .8rem;list-style:none}.call>summary::-webkit-details-marker{display:none}.call>summary:hover{background:var(--soft)}
.sign{font-weight:700;width:1em;text-align:center;color:var(--good);flex:none}.bad>summary>.sign{color:var(--bad)}.refused>summary>.sign{color:var(--warn)}.child>summary>.sign{color:var(--children)}
.tool{font-weight:650;flex:none;max-width:40%}.what{color:var(--dim);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;flex:1;min-width:0}.call[open]>summary>.what{white-space:normal}.time{color:var(--dim);font-size:.8rem;flex:none;font-variant-numeric:tabular-nums}
.inside{padding:.1rem .9rem .9rem;border-top:1px solid var(--line)}.inside>.md{margin:.7rem 0}
.decision{margin:.7rem 0 0;padding:.5rem .8rem;border-radius:8px;background:var(--soft);font-size:.9rem}.decision ul{margin:.3rem 0 0;padding-left:1.2rem}
.event{margin:0;padding:.3rem .8rem;font-size:.9rem;border-radius:8px}.event.plain{color:var(--dim)}.event>summary{unicode-bidi:isolate}
section:has(#show-trouble:checked) .items>li:not(:has(.bad,.refused,.warning)),section:has(#show-trouble:checked) .turn:not(:has(.bad,.refused,.warning)){display:none}
section:has(#show-changes:checked) .items>li:not(:has(.changed)),section:has(#show-changes:checked) .turn:not(:has(.changed)){display:none}
footer{margin-top:3rem;padding-top:1.2rem;padding-bottom:2.5rem;color:var(--dim);font-size:.85rem}
@media(max-width:640px){body{font-size:15px}.wrap{padding:0 1rem}.toc{position:static}.facts{grid-template-columns:1fr 1fr}.filter legend{float:none;width:100%}.turn{padding-left:1rem}.call>summary{flex-wrap:wrap;gap:.1rem .5rem}.what{flex-basis:100%;order:3;padding-left:1.5em}.tool{max-width:65%}.time{margin-left:auto}.turn>h3 .dim{display:block;margin:0}.diff .n{width:2.5rem}.diff .n:first-child{width:0;visibility:collapse}.diff td:nth-child(1){padding:0}.diff td:nth-child(2){padding:0 .35rem}.nested{margin-left:.3rem;padding-left:.6rem}.inside{padding:.1rem .6rem .7rem}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{:root{--bg:#fff;--shadow:none}body{font-size:11px}.toc,.filter,.skip{display:none}details::details-content{content-visibility:visible;display:block;height:auto}pre.text,.wide,.ask>div{max-height:none;overflow:visible}.call,.finding,.chart{break-inside:avoid}.what{white-space:normal}a{text-decoration:none}}
`;
