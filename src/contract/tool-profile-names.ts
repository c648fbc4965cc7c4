/** How many tools a run has at most, whatever its profile, and how much is told of them. The agent has what they mean. */
export const toolProfileNames = ['coding', 'full', 'standard', 'ds4', 'none'] as const;
export type ToolProfileName = (typeof toolProfileNames)[number];
