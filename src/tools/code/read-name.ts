import type { Grammar, KindRule, Place, Step, SyntaxNode } from './grammars/grammar.ts';
import type { Container, DefinitionKind, FoundSymbol, ReferenceKind } from './grammars/syntax-symbol.ts';

/** A classified name, with the data to find others of the same meaning. */
export interface ReadName {
  readonly symbol: FoundSymbol;
  /** Range of the node in which a local definition is known, as indexes. Null for a reference. */
  readonly scope: readonly [start: number, end: number] | null;
  /** Identifies the target of an assignment. A second one with the same key is a write. */
  readonly assignKey: string | null;
  readonly start: number;
  /** True if a variable of this name is excluded: a member, a type, an import. */
  readonly apart: boolean;
}

/** Kinds that count as an enclosing owner. */
const ownerKinds: readonly DefinitionKind[] = ['class', 'interface', 'enum', 'type'];

/** Classifies the name at the end of a path as a definition or a reference. */
export function readName(path: readonly Step[], grammar: Grammar): ReadName | null {
  return readDefinition(path, grammar) ?? readReference(path, grammar);
}

function readDefinition(path: readonly Step[], grammar: Grammar): ReadName | null {
  const found = findDefinition(path, grammar);
  if (found === null) return null;
  const { place, kind: given } = found;
  const all = containersOf(place.above, grammar);
  const own = grammar.containers[place.node.type]?.(place.node) ?? [];
  let containers = [...all, ...own.slice(0, -1)];
  if (given === 'field') containers = upToOwner(containers);
  const inner = containers.at(-1)?.kind;
  const { name } = place;
  const refined = refine(given, inner);
  const scope = scopeOf(place, grammar);
  const free = refined === 'variable' || refined === 'constant';
  const local =
    refined === 'parameter' || (free && scope !== null && (inner === undefined || !isOwner(inner)));
  // By convention, in languages that have no keyword for constants.
  const kind =
    refined === 'variable' && !local && /^\p{Lu}[\p{Lu}\p{N}_]+$/u.test(name.text) ? 'constant' : refined;
  const key = [kind === 'field' ? null : scope?.[0], ...containers.map((one) => one.name), kind].join();
  return {
    symbol: {
      ...position(name, grammar),
      role: 'definition',
      kind,
      containers,
      local,
      declaration: isDeclaration(place, grammar, kind),
      receiver: null,
    },
    scope: local ? scope : null,
    assignKey: grammar.assigns.includes(place.node.type) ? key : null,
    start: name.startIndex,
    apart: true,
  };
}

/** Finds the node that the last name of a path defines something for. */
function findDefinition(
  path: readonly Step[],
  grammar: Grammar,
): { place: Place; kind: DefinitionKind } | null {
  const through = [];
  const name = path.at(-1)?.node;
  if (name === undefined) return null;
  for (let index = path.length - 1; index > 0; index -= 1) {
    const [child, parent] = [path[index], path[index - 1]];
    if (child === undefined || parent === undefined) return null;
    const rule = grammar.definitions[parent.node.type]?.[child.field];
    if (rule !== undefined) {
      const place: Place = { name, node: parent.node, through, above: path.slice(0, index - 1) };
      const kind = kindBy(rule, place);
      if (kind !== null) return { place, kind };
    }
    if (!isPattern(parent.node, child.field, grammar)) return null;
    through.push(parent.node);
  }
  return null;
}

const kindBy = (rule: KindRule, place: Place): DefinitionKind | null =>
  typeof rule === 'function' ? rule(place) : rule;

/** True if a name may lie in this field of a node as part of a pattern. */
function isPattern(node: SyntaxNode, field: string, { patterns }: Grammar): boolean {
  const wanted = patterns[node.type];
  return wanted === '*' || wanted === field;
}

/** Turns a function in a class into a method, and a variable into a field. */
function refine(kind: DefinitionKind, inner: DefinitionKind | undefined): DefinitionKind {
  const refined = inner !== undefined && ownerKinds.includes(inner);
  if (kind === 'function' && refined) return 'method';
  if (kind === 'variable' && refined) return 'field';
  return kind === 'method' && inner === undefined ? 'function' : kind;
}

function isOwner(kind: DefinitionKind): boolean {
  return kind === 'module' || ownerKinds.includes(kind);
}

function upToOwner(containers: readonly Container[]): Container[] {
  const last = containers.findLastIndex(({ kind }) => isOwner(kind));
  return last === -1 ? [...containers] : containers.slice(0, last + 1);
}

function containersOf(steps: readonly Step[], grammar: Grammar): Container[] {
  const all = steps.flatMap(({ node }) => grammar.containers[node.type]?.(node) ?? []);
  return all.map((one, index) => ({ ...one, kind: refine(one.kind, all[index - 1]?.kind ?? 'module') }));
}

function scopeOf(place: Place, grammar: Grammar): readonly [number, number] | null {
  const around = place.above.findLast(({ node }) => grammar.scopes.includes(node.type))?.node;
  // A loop or lambda is itself the scope of its variable.
  const node = grammar.scopes.includes(place.node.type) ? place.node : around;
  return node === undefined ? null : [node.startIndex, node.endIndex];
}

function isDeclaration(place: Place, grammar: Grammar, kind: DefinitionKind): boolean {
  if (!['function', 'method'].includes(kind)) return false;
  if (grammar.signatures.includes(place.node.type)) return true;
  const body = grammar.bodies[place.node.type];
  return body !== undefined && place.node.childForFieldName(body) === null;
}

function readReference(path: readonly Step[], grammar: Grammar): ReadName | null {
  const name = path.at(-1)?.node;
  if (name === undefined) return null;
  const { kind, receiver, apart } = usage(path, grammar);
  return {
    symbol: {
      ...position(name, grammar),
      role: 'reference',
      kind,
      containers: containersOf(path, grammar),
      local: false,
      declaration: false,
      receiver,
    },
    scope: null,
    assignKey: null,
    start: name.startIndex,
    apart: apart || kind === 'import' || kind === 'type',
  };
}

/** Classifies a use: climbs from the name through the members it is the last part of. */
function usage(path: readonly Step[], grammar: Grammar) {
  let receiver: string | null = null;
  let apart = false;
  let kind: ReferenceKind | null = null;
  for (let index = path.length - 1; index > 0; index -= 1) {
    const [child, parent] = [path[index], path[index - 1]];
    if (child === undefined || parent === undefined) break;
    kind ??= useIn(parent.node, child.field, grammar);
    const member = grammar.members[parent.node.type];
    if (member?.[0] === child.field) {
      const object = parent.node.childForFieldName(member[1]);
      apart ||= object !== null || member[1] === '';
      receiver ??= object?.text.slice(0, 80) ?? null;
    } else if (!isList(parent.node, grammar)) break;
  }
  return { kind: kindOfUse(path, kind, grammar), receiver, apart };
}

/** Returns whether a field of a node is called or assigned to. */
function useIn({ type }: SyntaxNode, field: string, { calls, writes }: Grammar): ReferenceKind | null {
  if (calls[type] === field) return 'call';
  return writes[type] === field ? 'write' : null;
}

function isList({ type }: SyntaxNode, { patterns }: Grammar): boolean {
  return patterns[type] === '*' || type === 'expression_list' || type === 'variable_name';
}

function kindOfUse(path: readonly Step[], kind: ReferenceKind | null, grammar: Grammar): ReferenceKind {
  if (path.some(({ node }) => grammar.imports.includes(node.type))) return 'import';
  if (kind !== null) return kind;
  return path.slice(-2).some(({ node }) => grammar.types.includes(node.type)) ? 'type' : 'use';
}

function position(name: Step['node'], grammar: Grammar) {
  const sigil = grammar.sigil?.exec(name.text)?.[0].length ?? 0;
  return {
    name: name.text.slice(sigil),
    line: name.startPosition.row + 1,
    column: name.startPosition.column + 1,
  };
}
