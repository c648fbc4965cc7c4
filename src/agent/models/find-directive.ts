/** The words of the text protocol. A `RESULT` is never the model's to write. */
export type Word = 'ANSWER' | 'BASH' | 'TOOL' | 'PATCH' | 'RESULT';

/** A line that starts a directive. */
export interface FoundDirective {
  readonly word: Word;
  readonly rest: string;
  readonly indent: string;
  /** False for a word that is indented or not in capitals, which is one only where no other text is likely. */
  readonly strict: boolean;
}

const form = /^([ \t]*)(?:\*\*)?([A-Za-z]+)(?:\*\*)?:(?:\*\*)?[ \t]?(.*)$/;
const result = /^(?:\*\*)?RESULTS?(?: \d+ of \d+)?(?: \(error\))?(?:\*\*)?:/;
const complaint = /: (?:command not found|no such file or directory|permission denied)|^line \d+:/i;

/** The directive a line starts, or null; `next` is the line after it. */
export function findDirective(line: string, next: string): FoundDirective | null {
  if (result.test(line)) return { word: 'RESULT', rest: '', indent: '', strict: true };
  const [, indent = '', said = '', rest = ''] = form.exec(line) ?? [];
  const word = said.toUpperCase();
  if (word !== 'ANSWER' && word !== 'BASH' && word !== 'TOOL' && word !== 'PATCH') return null;
  const strict = indent === '' && said === word;
  if (said !== word && !meantAs(word, said, rest.trim() === '' ? next : rest)) return null;
  return { word, rest, indent, strict };
}

/** Whether a word in small letters starts a directive: sentences and messages of the shell start so too. */
function meantAs(word: Exclude<Word, 'RESULT'>, said: string, payload: string): boolean {
  switch (word) {
    case 'TOOL':
      return /^\s*(?:[\w.-]+\s*)?(?:[{(<]|`{3}|~{3})/.test(payload);
    case 'PATCH':
      return said === 'patch' && /^(?:---|diff |\*\*\*|`{3}|~{3})/.test(payload);
    case 'BASH':
      return said === 'bash' && payload.trim() !== '' && !complaint.test(payload);
    case 'ANSWER':
      return said === 'answer';
  }
}
