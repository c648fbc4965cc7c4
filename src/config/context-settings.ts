import * as z from 'zod';

/** What becomes of a conversation that outgrows its model. */
export const ContextSettings = z.strictObject({
  /** Tokens that a model takes, where `modelDefaults` says nothing of it. */
  window: z.int().positive().optional(),
  /** Tokens that stay free for the reply where `compactPercent` is -1. */
  reserveTokens: z.int().min(0).optional(),
  /** The newest tokens, which are never summarised. */
  keepRecent: z.int().min(0).optional(),
  /** The share of the window at which older turns are summarised; -1: at the window less `reserveTokens`. */
  compactPercent: z.union([z.literal(-1), z.number().gt(0).max(0.99)]).optional(),
  /** False: nothing is summarised; the results of the oldest calls make room. */
  compactEnabled: z.boolean().optional(),
});

/** `context` with nothing left open but the window, which belongs to the model. */
export interface ContextBounds {
  readonly reserveTokens: number;
  readonly keepRecent: number;
  readonly compactPercent: number;
  readonly compactEnabled: boolean;
}

/** What is not configured: as in other agents, so that a file can be taken over. */
export function contextBounds(settings: z.infer<typeof ContextSettings> | undefined): ContextBounds {
  return {
    reserveTokens: settings?.reserveTokens ?? 16_384,
    keepRecent: settings?.keepRecent ?? 20_000,
    compactPercent: settings?.compactPercent ?? 0.85,
    compactEnabled: settings?.compactEnabled ?? true,
  };
}
