import * as z from 'zod';
import { Walkthrough } from '../../contract/walkthrough.ts';

/** The walkthrough as a model states it, without bounds that could refuse a call. */
const Stated = z.object({
  overview: z.string(),
  groups: z.array(z.object({ title: z.string(), files: z.array(z.string()), what: z.string() })).default([]),
  diagram: z.array(z.object({ from: z.string(), to: z.string(), label: z.string().optional() })).optional(),
});

/**
 * Returns the schema of a walkthrough as part of a report. Another form is dropped: it must not
 * cost the findings beside it. The model sees the form in words, which is shorter than a schema.
 */
export function statedWalkthrough() {
  return z
    .preprocess(
      (value) => Stated.safeParse(fromText(value)).data,
      z.custom<z.infer<typeof Stated> | undefined>(),
    )
    .optional()
    .meta({ type: 'object', description: form });
}

const form = '{overview (what, why), groups [{title, files, what}], diagram [{from, to, label}] of 3+ parts}';

function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // An overview alone may come as plain text.
  if (!value.trimStart().startsWith('{')) return { overview: value };
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/**
 * Bounds a walkthrough: long texts are cut, parts without text and arrows without two ends are
 * dropped. `pathOf` gives the path of a file as the change names it. Null if nothing is left.
 */
export function readWalkthrough(
  stated: z.infer<typeof Stated> | undefined,
  pathOf: (file: string) => string,
): Walkthrough | null {
  if (stated === undefined) return null;
  const groups = stated.groups
    .map(({ title, files, what }) => ({
      title: cut(title, 120),
      files: [...new Set(files.map(pathOf))].filter((file) => file !== '' && file.length <= 300).slice(0, 60),
      what: cut(what, 500),
    }))
    .filter(({ title, what }) => title !== '' && what !== '')
    .slice(0, 12);
  const arrows = (stated.diagram ?? [])
    .map(({ from, to, label = '' }) => ({ from: cut(from, 40), to: cut(to, 40), label: cut(label, 40) }))
    .filter(({ from, to }) => from !== '' && to !== '')
    .slice(0, 12);
  const diagram = arrows.length === 0 ? undefined : arrows;
  return Walkthrough.safeParse({ overview: cut(stated.overview, 1_200), groups, diagram }).data ?? null;
}

/** Cuts a text to a length, never through a surrogate pair. */
function cut(text: string, length: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= length) return trimmed;
  return `${trimmed.slice(0, length - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
