/** Limits concurrent actions; the others wait in order. */
export function createTurns(most: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let acting = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (acting < most) acting += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) acting -= 1;
      else next();
    }
  };
}
