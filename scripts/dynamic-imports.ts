import ts from 'typescript-5';

/** A script that was bundled, by its path from the root. */
export interface Script {
  readonly path: string;
  readonly text: string;
}

/** The names that a module exports; null where they are not known. */
export type ExportsOf = (from: string, specifier: string) => Promise<ModuleNames | null>;

export interface ModuleNames {
  readonly names: ReadonlySet<string>;
  /**
   * True for CommonJS that was bundled with nothing but `default`: whatever else is taken of it is
   * not there.
   */
  readonly onlyDefault: boolean;
}

/**
 * The value of an expression: a module's namespace, a list, or a promise of either. `await` and
 * `then` unwrap promises.
 */
type Value =
  | { readonly kind: 'module'; readonly from: Source }
  | { readonly kind: 'list'; readonly items: readonly (Value | null)[] };

interface Source extends ModuleNames {
  readonly specifier: string;
}

/**
 * The names that scripts use from dynamic imports and that do not exist, one line each. Covers
 * `await`, `then`, `Promise.all`, destructuring, members, and variables, parameters and functions
 * within a script. A name that is only asked for (`module.a ?? module.b`, `module.a?.()`) may be
 * missing. A namespace that is passed on may be asked for any of its names, so it must have them
 * all.
 */
export async function missingNames(scripts: readonly Script[], exportsOf: ExportsOf): Promise<string[]> {
  const program = parse(scripts);
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const { path } of scripts) {
    const file = program.getSourceFile(path);
    if (file === undefined) throw new Error(`${path} was not parsed`);
    const follower = createFollower(file, checker, (node, problem) => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${path}:${line + 1} ${problem}`);
    });
    for (const call of importsIn(file)) {
      const [specifier] = call.arguments;
      if (specifier === undefined || !ts.isStringLiteralLike(specifier)) continue;
      const names = await exportsOf(path, specifier.text);
      if (names !== null)
        follower.start(call, { kind: 'module', from: { ...names, specifier: specifier.text } });
    }
  }
  return [...new Set(found)];
}

interface Follower {
  /** Follows what one `import()` gives. */
  start(call: ts.CallExpression, value: Value): void;
}

/** Follows a value from the expression that gives it to all that takes something from it. */
function createFollower(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  tell: (node: ts.Node, problem: string) => void,
): Follower {
  const uses = identifiersIn(file);
  const seen = new Set<ts.Node>();

  const take = (value: Value, name: string, node: ts.Node) => {
    if (value.kind === 'list') return;
    const { from } = value;
    if (from.names.has(name) || isOnlyAskedFor(node)) return;
    tell(node, `takes ${name} from ${from.specifier}, which was bundled without it`);
  };
  const handOn = (value: Value, node: ts.Node) => {
    if (value.kind === 'list') for (const item of value.items) item && handOn(item, node);
    else if (value.from.onlyDefault)
      tell(node, `hands on ${value.from.specifier}, which was bundled with its default alone`);
  };
  const bind = (name: ts.BindingName, value: Value) => {
    if (ts.isIdentifier(name)) return followName(name, value);
    for (const [index, element] of name.elements.entries()) {
      if (!ts.isBindingElement(element)) continue;
      if (ts.isArrayBindingPattern(name)) {
        const item = value.kind === 'list' ? value.items[index] : undefined;
        if (item) bind(element.name, item);
      } else if (element.dotDotDotToken !== undefined) handOn(value, element);
      else takeProperty(element.propertyName ?? element.name, value);
    }
  };
  const takeProperty = (name: ts.Node, value: Value) => {
    if (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) take(value, name.text, name);
    else handOn(value, name);
  };
  const assign = (target: ts.Expression, value: Value) => {
    if (ts.isIdentifier(target)) return followName(target, value);
    if (ts.isObjectLiteralExpression(target)) {
      for (const property of target.properties)
        if (property.name !== undefined) takeProperty(property.name, value);
    } else if (ts.isArrayLiteralExpression(target) && value.kind === 'list') {
      for (const [index, item] of target.elements.entries()) {
        const given = value.items[index];
        if (given) assign(item, given);
      }
    } else handOn(value, target);
  };
  /** All that reads a variable which was given the value. */
  const followName = (name: ts.Identifier, value: Value) => {
    const symbol = checker.getSymbolAtLocation(name);
    for (const use of uses.get(name.text) ?? []) {
      if (use === name || checker.getSymbolAtLocation(use) !== symbol) continue;
      if (ts.isExportSpecifier(use.parent) || ts.isShorthandPropertyAssignment(use.parent))
        handOn(value, use);
      else follow(use, value);
    }
  };
  /** The calls of a function that returns the value. */
  const followCalls = (inside: ts.Node, value: Value) => {
    const made = ts.findAncestor(inside, ts.isFunctionLike);
    const name = made === undefined ? undefined : nameOfFunction(made);
    if (made === undefined || name === undefined) {
      // A callback of `then` gives what its promise gives.
      const call = made?.parent;
      if (call !== undefined && ts.isCallExpression(call) && promiseMethod(call) !== null)
        return follow(call, value);
      return handOn(value, inside);
    }
    const symbol = checker.getSymbolAtLocation(name);
    for (const use of uses.get(name.text) ?? []) {
      if (use === name || checker.getSymbolAtLocation(use) !== symbol) continue;
      if (ts.isCallExpression(use.parent) && use.parent.expression === use) follow(use.parent, value);
      else handOn(value, use);
    }
  };
  const callback = (given: ts.Expression | undefined, value: Value) => {
    if (given === undefined) return;
    if (!ts.isArrowFunction(given) && !ts.isFunctionExpression(given)) return handOn(value, given);
    const [parameter] = given.parameters;
    if (parameter !== undefined) bind(parameter.name, value);
  };
  const member = (node: ts.PropertyAccessExpression, value: Value) => {
    const { parent } = node;
    const called = ts.isCallExpression(parent) && parent.expression === node;
    if (!called || promiseMethod(parent) === null) return take(value, node.name.text, node);
    if (node.name.text === 'then') return callback(parent.arguments[0], value);
    follow(parent, value);
  };

  const follow = (node: ts.Node, value: Value): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) member(parent, value);
    else if (ts.isElementAccessExpression(parent) && parent.expression === node)
      takeProperty(parent.argumentExpression, value);
    else if (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent))
      bind(parent.name, value);
    else if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) followCalls(node, value);
    else if (ts.isArrayLiteralExpression(parent)) followList(parent, node, value);
    else if (ts.isBinaryExpression(parent)) followOperator(parent, node, value);
    else if (passesOn(parent, node)) follow(parent, value);
    else if (!takesNothing(parent)) handOn(value, node);
  };
  const followList = (list: ts.ArrayLiteralExpression, node: ts.Node, value: Value) => {
    const call = list.parent;
    const isAll = ts.isCallExpression(call) && /^Promise\.all(Settled)?$/.test(call.expression.getText(file));
    if (!isAll) return handOn(value, node);
    // The one awaited value that is followed now.
    const items = list.elements.map((element) => (element === node ? value : null));
    seen.delete(call);
    follow(call, { kind: 'list', items });
  };
  const followOperator = (parent: ts.BinaryExpression, node: ts.Node, value: Value) => {
    const operator = parent.operatorToken.kind;
    if (parent.right === node && isAssignment(operator)) {
      assign(parent.left, value);
      follow(parent, value);
    } else if (passedOn.has(operator)) follow(parent, value);
  };
  return {
    start(call, value) {
      seen.clear();
      follow(call, value);
    },
  };
}

/** Operators that give one of their sides. */
const passedOn = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.CommaToken,
]);

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

/** Expressions that give what they hold. */
function passesOn(parent: ts.Node, node: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return (
    ts.isAwaitExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isNonNullExpression(parent)
  );
}

function takesNothing(parent: ts.Node): boolean {
  return (
    ts.isExpressionStatement(parent) ||
    ts.isVoidExpression(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isIfStatement(parent)
  );
}

/** The method of a promise that is called; null for any other call. */
function promiseMethod(call: ts.CallExpression): string | null {
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : '';
  return ['then', 'catch', 'finally'].includes(name) ? name : null;
}

/** True where the program goes on without the name: before `??` and `||`, and with `?.`. */
function isOnlyAskedFor(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && passedOn.has(parent.operatorToken.kind);
  if (ts.isPropertyAccessExpression(parent) || ts.isCallExpression(parent))
    return parent.questionDotToken !== undefined;
  return ts.isTypeOfExpression(parent) || ts.isIfStatement(parent);
}

function nameOfFunction(made: ts.SignatureDeclaration): ts.Identifier | undefined {
  if (ts.isFunctionDeclaration(made)) return made.name;
  const { parent } = made;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name : undefined;
}

function parse(scripts: readonly Script[]): ts.Program {
  const texts = new Map(scripts.map(({ path, text }) => [path, text]));
  const options: ts.CompilerOptions = {
    ...{ allowJs: true, noResolve: true, noLib: true, types: [] },
    ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  };
  return ts.createProgram([...texts.keys()], options, {
    getSourceFile: (name, target) => {
      const text = texts.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, target, true);
    },
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    getDefaultLibFileName: () => 'lib.d.ts',
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  });
}

function importsIn(file: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  eachNode(file, (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) found.push(node);
  });
  return found;
}

/** Identifiers by their text, except for names of members, which are no variables. */
function identifiersIn(file: ts.SourceFile): ReadonlyMap<string, readonly ts.Identifier[]> {
  const found = new Map<string, ts.Identifier[]>();
  eachNode(file, (node) => {
    if (!ts.isIdentifier(node)) return;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return;
    if (ts.isPropertyAssignment(parent) && parent.name === node) return;
    const same = found.get(node.text) ?? [];
    same.push(node);
    found.set(node.text, same);
  });
  return found;
}

function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}
