/** Does one thing on GitHub; null where GitHub refused it, which the report then tells with the name given in `what`. */
export type Attempt = <Result>(what: string, act: () => Promise<Result>) => Promise<Result | null>;
