import { providerAliases, providers } from '../agent/models/providers.ts';
import { type WorkflowUseName, workflowUses } from '../workflow-files/workflow-uses.ts';
import { actionOf, type ParsedArguments, usageError } from './parse-arguments.ts';

/** The choices of a person who sets up Anode CI. */
export interface InitChoices {
  readonly uses: readonly WorkflowUseName[];
  readonly provider: string;
  /** Null for the provider's default model. */
  readonly model: string | null;
}

export const useNames = Object.keys(workflowUses) as readonly WorkflowUseName[];
export const providerNames: readonly string[] = Object.keys(providers);

/** Reads the choices that options make. Throws a usage error for an unknown word. */
export function readInitChoices({ use, provider, model }: ParsedArguments['values']): Partial<InitChoices> {
  if (typeof model === 'string' && !/^[^/\s]+\/\S+$/.test(model))
    throw usageError('init', `--model takes provider/name, not "${model}".`);
  const [byModel, byName] = [typeof model === 'string' ? model.split('/')[0] : undefined, provider].map(
    (name) => (typeof name === 'string' ? knownProvider(name) : null),
  );
  if (byModel && byName && byModel !== byName)
    throw usageError('init', `--provider ${byName} and --model ${model} contradict each other.`);
  const chosen = byName ?? byModel;
  const words = typeof use === 'string' ? use.split(',').map((word) => word.trim()) : null;
  return {
    ...(words === null ? {} : { uses: [...new Set(words.map((word) => actionOf('init', word, useNames)))] }),
    ...(chosen ? { provider: chosen } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

const knownProvider = (name: string): string =>
  actionOf('init', providerAliases[name] ?? name, providerNames);

/** Returns the Action as a workflow names it. Throws a usage error for an invalid reference. */
export function actionReference({ action, ref }: ParsedArguments['values']): string {
  const name = typeof action === 'string' ? action : 'OWNER/anode-ci';
  const version = typeof ref === 'string' ? ref : 'v1';
  if (!/^[\w.-]+\/[\w.-]+(?:\/[\w./-]+)?$/.test(name))
    throw usageError('init', `--action takes OWNER/NAME, not "${name}".`);
  if (!/^\w[\w./-]*$/.test(version))
    throw usageError('init', `--ref takes a tag or a commit, not "${version}".`);
  return `${name}@${version}`;
}
