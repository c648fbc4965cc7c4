/** Takes note of a part that is taken out of a text; returns what stands there instead. */
export type TakeOut = (kind: string, part: string, alarming: boolean) => string;
