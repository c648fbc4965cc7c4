import ts from 'typescript-5';
import { changedPatterns } from './change-pattern.ts';

/** One small fault: the text between two offsets of a file and its replacement. */
export interface Mutant {
  readonly file: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Change {
  readonly kind: string;
  readonly node: { readonly start: number; readonly end: number };
  readonly text: string;
}

const operators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

/** Methods and their opposites; null drops the call. */
const methods: Readonly<Record<string, string | null>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  filter: null,
  slice: null,
  trim: null,
  trimEnd: null,
  trimStart: null,
  toLowerCase: null,
  toUpperCase: null,
  toSorted: null,
  toReversed: null,
};

/**
 * Every small fault for one TypeScript source: conditions, operators, booleans, numbers, strings,
 * regular expressions, fallbacks, results, and missing statements, elements and properties. Types,
 * imports and sentences stay: a string of three or more words is text for people, and its wording
 * is not tested.
 *
 * @param file the name that each mutant carries
 */
export function makeMutants(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || isErased(node)) return;
    for (const { kind, node: at, text } of changesOf(node, tree))
      if (source.slice(at.start, at.end) !== text)
        found.push({ file, kind, start: at.start, end: at.end, text });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  return found;
}

/** The source with the fault in it. */
export function applyMutant(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

function isErased(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function changesOf(node: ts.Node, tree: ts.SourceFile): Change[] {
  const span = (at: ts.Node) => ({ start: at.getStart(tree), end: at.getEnd() });
  const replace = (kind: string, at: ts.Node, ...texts: readonly string[]): Change[] =>
    texts.map((text) => ({ kind, node: span(at), text }));
  if (ts.isBinaryExpression(node)) return binaryChanges(node, replace);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return replace('negation', node, node.operand.getText(tree));
  if (ts.isIfStatement(node)) return replace('condition', node.expression, 'true', 'false');
  if (ts.isWhileStatement(node) && node.expression.kind !== ts.SyntaxKind.TrueKeyword)
    return replace('condition', node.expression, 'false');
  if (ts.isConditionalExpression(node)) return replace('condition', node.condition, 'true', 'false');
  if (ts.isExpressionStatement(node) && ts.isBlock(node.parent)) return replace('statement', node, ';');
  if (ts.isReturnStatement(node) && node.expression !== undefined)
    return replace('result', node.expression, 'undefined', 'null');
  if (ts.isArrayLiteralExpression(node)) return removed('element', node.elements, tree);
  if (ts.isObjectLiteralExpression(node)) return removed('property', node.properties, tree);
  if (ts.isCallExpression(node)) return callChanges(node, replace, tree);
  return literalChanges(node, replace, tree);
}

type Replace = (kind: string, at: ts.Node, ...texts: readonly string[]) => Change[];

function binaryChanges(
  { left, operatorToken, right, parent }: ts.BinaryExpression,
  replace: Replace,
): Change[] {
  const operator = operatorToken.getText();
  const whole = left.parent;
  if (operator === '??') return replace('fallback', whole, left.getText(), right.getText());
  // A sum of texts has no difference.
  if (operator === '+' && [left, right].some(isText)) return [];
  const changed = replace('operator', operatorToken, ...(operators[operator] ?? []));
  const condition = ['&&', '||'].includes(operator) && !ts.isIfStatement(parent);
  return condition ? [...changed, ...replace('operand', whole, left.getText(), right.getText())] : changed;
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** Each element or property taken away with its comma; one with words in front keeps them. */
function removed(kind: string, list: ts.NodeArray<ts.Node>, tree: ts.SourceFile): Change[] {
  return list.map((item, at) => {
    const next = list[at + 1];
    const before = list[at - 1];
    const start = next === undefined && before !== undefined ? before.getEnd() : item.getStart(tree);
    return { kind, node: { start, end: next?.getStart(tree) ?? item.getEnd() }, text: '' };
  });
}

function callChanges(node: ts.CallExpression, replace: Replace, tree: ts.SourceFile): Change[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined;
  if (other === undefined) return [];
  return other === null ? replace('call', node, expression.getText(tree)) : replace('call', name, other);
}

function literalChanges(node: ts.Node, replace: Replace, tree: ts.SourceFile): Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace('boolean', node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replace('boolean', node, 'true');
  if (isName(node)) return [];
  if (ts.isNumericLiteral(node)) return replace('number', node, String(Number(node.text) + 1));
  if (ts.isRegularExpressionLiteral(node))
    return replace('pattern', node, ...changedPatterns(node.getText(tree)));
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    const text = node.getText(tree);
    return isSentence(text) ? [] : replace('string', node, text.length === 2 ? "'mutant'" : "''");
  }
  return [];
}

/** True for the name of a property, which is no value. */
function isName(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

function isSentence(text: string): boolean {
  return (text.match(/(?<![\w-])[A-Za-z]{2,}(?![\w-])/g) ?? []).length >= 3 && text.includes(' ');
}
