const keywords =
  'function\\*?|func|fn|def|class|interface|struct|enum|union|trait|type|module|mod|namespace|package|protocol|object|record|const|let|var|val|macro|sub|proc|#define';

/**
 * An expression for lines that look as if they define a name starting with `name` (itself an expression),
 * in the languages people use most. It reads text and understands none of them.
 */
export function definitionPattern(name: string): string {
  const afterKeyword = `(?:^|[^\\w])(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?(?:\\w+(?:\\.|::))*${name}\\w*`;
  const method = `^\\s*(?:(?:public|private|protected|static|async|override|final|abstract|get|set)\\s+)*${name}\\w*\\s*\\([^;]*\\)[^;]*\\{\\s*$`;
  return `${afterKeyword}|${method}`;
}

/** The words of a question worth searching for: those of four letters and more, else all of them. */
export function wordsPattern(question: string): string[] {
  const words = question.split(/[^\p{L}\p{N}_$.-]+/u).filter((word) => word !== '');
  const long = words.filter((word) => word.length >= 4);
  return long.length > 0 ? long : words.length > 0 ? words : [question];
}
