import { isJsonObject, type Json } from '../../contract/json.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { type DeclaredTool, readDeclaredTool } from '../protocol/declared-tool.ts';

/** More of one plug-in's tools are not looked at. */
const mostTools = 256;

/**
 * Reads the answer to `tools/list`; what is no tool is a problem, a clause with the plug-in as its subject. `hide` takes out what the
 * plug-in was given, before its words are cut.
 */
export function readToolList(
  answer: Json,
  { name, hide }: { readonly name: string; readonly hide: (text: string) => string },
): { readonly tools: readonly DeclaredTool[]; readonly problems: readonly string[] } {
  const listed = isJsonObject(answer) ? answer.tools : undefined;
  if (!Array.isArray(listed))
    return { tools: [], problems: ['lists no tools: {tools: [...]} was to be its answer'] };
  const tools = new Map<string, DeclaredTool>();
  const problems: string[] = [];
  for (const [index, one] of listed.slice(0, mostTools).entries()) {
    const given =
      isJsonObject(one) && typeof one.name === 'string'
        ? JSON.stringify(visibleStart(one.name, 80, hide))
        : index + 1;
    const declared = readDeclaredTool(one, { prefix: `plugin__${name}__`, verb: 'is declared', hide });
    if ('problem' in declared) problems.push(`has a tool ${given} that ${declared.problem}; it is left out`);
    else if (tools.has(declared.name))
      problems.push(`has two tools ${declared.name}; the second is left out`);
    else tools.set(declared.name, declared);
  }
  if (listed.length > mostTools)
    problems.push(`lists ${listed.length} tools; the first ${mostTools} are looked at`);
  return { tools: [...tools.values()], problems };
}
