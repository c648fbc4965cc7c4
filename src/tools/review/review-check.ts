import * as z from 'zod';
import { Severity } from '../../contract/findings.ts';
import type { ReviewCheck } from '../services/run-services.ts';
import { frontMatter } from '../text/front-matter.ts';

/** Maximum characters of one check: it is sent with each request of a child. */
const longest = 16_000;

const words = z.union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+/))]);

const Fields = z.object({
  name: z.string().min(1).max(60).optional(),
  description: z.string().max(500).optional(),
  'severity-default': Severity.optional(),
  tools: words.transform((names) => names.filter((name) => name !== '')).optional(),
});

/**
 * Parses one check: optional front matter (name, description, severity-default, tools) and the
 * instructions. Returns the problem as a sentence if the check is invalid.
 */
export function parseReviewCheck(path: string, text: string): ReviewCheck | string {
  const { fields, body } = frontMatter(text);
  if (fields === null) return `The check ${path} is left out: its front matter is no YAML of keys.`;
  const parsed = Fields.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `The check ${path} is left out: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}.`;
  }
  const instructions = body.trim();
  if (instructions === '') return `The check ${path} is left out: it does not say what to look for.`;
  if (instructions.length > longest)
    return `The check ${path} is left out: it is longer than ${longest.toLocaleString('en')} characters.`;
  const { name, description, tools } = parsed.data;
  return {
    name: name ?? path.replace(/^.*\//, '').replace(/\.md$/i, ''),
    description: description ?? '',
    severity: parsed.data['severity-default'] ?? null,
    tools: tools === undefined || tools.length === 0 ? null : tools,
    instructions,
  };
}
