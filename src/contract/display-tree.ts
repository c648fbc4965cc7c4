import * as z from 'zod';
import type { RenderSpec } from './display-item.ts';

/** Limits of one display: people read it, and every reader renders it again. */
const most = { elements: 200, depth: 12, items: 500, columns: 20, text: 4_000, label: 200 } as const;

const text = z.string().max(most.text);
const label = z.string().max(most.label);
const tone = z.enum(['default', 'info', 'success', 'warning', 'error']);
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
/** Models pass numbers and booleans as texts. */
const cell = z.union([z.string().max(most.text), z.number(), z.boolean(), z.null()]).transform(String);
const point = z.object({ label, value: z.number() });

/**
 * Props of each component. Others (colours, margins, borders) have no meaning outside a terminal.
 */
const props = {
  Box: z.object({ flexDirection: maybe(z.string()), title: maybe(label) }),
  Card: z.object({ title: maybe(label) }),
  Text: z.object({ text, bold: maybe(z.boolean()), italic: maybe(z.boolean()) }),
  Heading: z.object({ text: label, level: maybe(z.enum(['h1', 'h2', 'h3', 'h4'])) }),
  Divider: z.object({ title: maybe(label) }),
  Newline: z.object({ count: maybe(z.int().min(1).max(5)) }),
  Spacer: z.object({}),
  BarChart: z.object({
    data: z.array(point).max(most.items),
    showPercentage: maybe(z.boolean()),
    title: maybe(label),
  }),
  Sparkline: z.object({ data: z.array(z.number()).max(most.items), label: maybe(label) }),
  Table: z.object({
    columns: z
      .array(
        z.union([
          label.transform((header) => ({ header, key: header, align: null })),
          z.object({ header: label, key: label, align: maybe(z.enum(['left', 'center', 'right'])) }),
        ]),
      )
      .min(1)
      .max(most.columns),
    rows: z.array(z.record(z.string(), cell)).max(most.items),
  }),
  List: z.object({ items: z.array(cell).max(most.items), ordered: maybe(z.boolean()) }),
  StatusLine: z.object({ text: label, status: maybe(tone) }),
  KeyValue: z.object({ label, value: z.union([cell, z.array(cell).max(most.items)]) }),
  Badge: z.object({ label, variant: maybe(tone) }),
  ProgressBar: z.object({ progress: z.number().min(0).max(1), label: maybe(label) }),
  Metric: z.object({
    label,
    value: cell,
    detail: maybe(label),
    trend: maybe(z.enum(['up', 'down', 'neutral'])),
  }),
  Callout: z.object({
    content: text,
    title: maybe(label),
    type: maybe(z.enum(['info', 'tip', 'warning', 'important', 'success', 'error'])),
  }),
  Timeline: z.object({
    items: z
      .array(
        z.object({
          title: label,
          description: maybe(text),
          date: maybe(label),
          status: maybe(z.enum(['completed', 'current', 'upcoming'])),
        }),
      )
      .max(most.items),
  }),
} as const;

export type ComponentName = keyof typeof props;

/** The components that there are, in the order of the documents. */
export const componentNames = Object.keys(props) as readonly ComponentName[];

/** A component with its children, in display order. */
export type DisplayNode = {
  [Name in ComponentName]: {
    readonly type: Name;
    readonly props: z.output<(typeof props)[Name]>;
    readonly children: readonly DisplayNode[];
  };
}[ComponentName];

const holders: readonly string[] = ['Box', 'Card'];

/**
 * Returns the tree of a specification, or a problem that names the element. Problems are unknown
 * components, wrong props, missing children, cycles and too many elements (200, 12 deep).
 */
export function displayTree(spec: z.output<typeof RenderSpec>): DisplayNode | Problem {
  return build(spec, spec.root, { above: [], counted: { elements: 0 } });
}

type Problem = { readonly problem: string };

interface Position {
  /** The ids of the elements around it, outermost first. */
  readonly above: readonly string[];
  readonly counted: { elements: number };
}

function build(spec: z.output<typeof RenderSpec>, id: string, at: Position): DisplayNode | Problem {
  const { above, counted } = at;
  const element = Object.hasOwn(spec.elements, id) ? spec.elements[id] : undefined;
  if (element === undefined) {
    const named = above.length === 0 ? `root "${id}"` : `child "${id}" of "${above.at(-1)}"`;
    return { problem: `elements has no ${named}` };
  }
  if (above.includes(id)) return { problem: `"${id}" is among its own children` };
  if (above.length >= most.depth) return { problem: `"${id}" lies more than ${most.depth} deep` };
  counted.elements += 1;
  if (counted.elements > most.elements) return { problem: `there are more than ${most.elements} elements` };
  const own = readElement(id, element);
  if ('problem' in own) return own;
  const children: DisplayNode[] = [];
  for (const child of element.children ?? []) {
    const built = build(spec, child, { above: [...above, id], counted });
    if ('problem' in built) return built;
    children.push(built);
  }
  return { ...own, children } as DisplayNode;
}

/** Checks one element by itself. */
function readElement(
  id: string,
  { type, props: written, children }: z.output<typeof RenderSpec>['elements'][string],
): { readonly type: ComponentName; readonly props: unknown } | Problem {
  if (!isComponent(type))
    return { problem: `"${id}" is a ${type}, which is none of ${componentNames.join(', ')}` };
  const parsed = props[type].safeParse(written ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = ['props', ...(issue?.path ?? [])].join('.');
    return { problem: `"${id}" (${type}): ${place}: ${issue?.message ?? 'does not fit'}` };
  }
  if ((children ?? []).length > 0 && !holders.includes(type))
    return { problem: `"${id}" is a ${type}, which holds no children; put them into a Box` };
  return { type, props: parsed.data };
}

function isComponent(type: string): type is ComponentName {
  return Object.hasOwn(props, type);
}
