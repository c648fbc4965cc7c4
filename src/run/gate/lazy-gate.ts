import type { GatedRun, makeChangeEvaluator, makeGate } from './make-gate.ts';

/** Makes the gate of a run, loaded at the first call or during the first request. */
export function lazyGate(run: GatedRun) {
  let made: Promise<{
    gate: ReturnType<typeof makeGate>;
    evaluate: ReturnType<typeof makeChangeEvaluator>;
  }> | null = null;
  const make = () => {
    made ??= import('./make-gate.ts').then((module) => ({
      gate: module.makeGate(run),
      evaluate: module.makeChangeEvaluator(run),
    }));
    return made;
  };
  const gate: ReturnType<typeof makeGate> = async (call, context) => (await make()).gate(call, context);
  const evaluateChanges: ReturnType<typeof makeChangeEvaluator> = async (changes, by) =>
    (await make()).evaluate(changes, by);
  return { gate, evaluateChanges };
}
