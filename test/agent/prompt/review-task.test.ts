import { describe, expect, it } from 'vitest';
import { renderReviewTask } from '../../../src/agent/prompt/review-task.ts';

const diff = `diff --git a/src/a.js b/src/a.js
index 1111111..2222222 100644
--- a/src/a.js
+++ b/src/a.js
@@ -10,3 +10,4 @@ function f() {
 keep
-old
+new
+more
 end
\\ No newline at end of file
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
`;

describe('the task of a review', () => {
  it('displays each changed line with the number for findings', () => {
    expect(renderReviewTask('Review this.', { diff })).toBe(`Review this.

The change under review (R: line of the new file, L: line of the old file):
<untrusted kind="diff">
## src/a.js (changed)
R10  keep
L11 -old
R11 +new
R12 +more
R13  end

## new name.txt (renamed from old name.txt)
(no text to show)
</untrusted>`);
  });

  it('marks lines and files that are new since the last review', () => {
    const newLines = new Map<string, ReadonlySet<string> | 'all'>([
      ['src/a.js', new Set(['R12', 'L11'])],
      ['new name.txt', 'all'],
    ]);
    expect(renderReviewTask('Review this.', { diff, newLines })).toBe(`Review this.

The change under review (R: line of the new file, L: line of the old file, *: new):
<untrusted kind="diff">
## src/a.js (changed)
R10  keep
L11* -old
R11 +new
R12* +more
R13  end

## new name.txt (renamed from old name.txt, all new)
(no text to show)
</untrusted>`);
  });

  it('names the files beyond the limit', () => {
    const large = (name: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1,6000 @@\n${'+0123456789\n'.repeat(6_000)}`;
    const task = renderReviewTask('Review this.', { diff: large('a.txt') + large('b.txt') });
    expect(task).toContain('## a.txt (changed)');
    expect(task).not.toContain('## b.txt');
    expect(task).toContain('Too large to show here, 1 more changed files; read them: b.txt');
  });

  it('names the files beyond a lower limit', () => {
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+Words.\n';
    expect(renderReviewTask('Why?', { diff, mostBytes: 20 })).toBe(
      `Why?

The change under review (R: line of the new file, L: line of the old file):
<untrusted kind="diff">
Too large to show here, 1 more changed files; read them: a.txt
</untrusted>`,
    );
  });

  it('lists at most fifty findings of the checks', () => {
    const found = Array.from({ length: 51 }, (_, index) => ({
      ...{ path: 'a b.js', side: 'RIGHT' as const, line: index + 1, severity: 'low' as const },
      ...{ category: 'lint', title: 'No\nsemicolon', body: 'Words.', check: 'linters' },
    }));
    const reported =
      renderReviewTask('Review this.', { diff: '', checked: found })
        .split('</untrusted>')[1]
        ?.trim()
        .split('\n') ?? [];
    expect([reported.length, ...reported.slice(0, 2), reported.at(-1)]).toEqual([
      52,
      'Checks have found this already, and it is reported without you; do not report it again:',
      '- "a b.js":1 No semicolon (linters)',
      '- and 1 more',
    ]);
  });

  it('says that there is nothing to review', () => {
    expect(renderReviewTask('Review this.', { diff: '' })).toContain('The diff is empty.');
  });
});
