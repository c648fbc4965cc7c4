import * as z from 'zod';

/** How a run ended. */
export const Conclusion = z.enum(['success', 'failure', 'limit', 'waiting', 'cancelled']);
export type Conclusion = z.infer<typeof Conclusion>;
