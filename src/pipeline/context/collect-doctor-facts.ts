import { createModel } from '../../agent/models/create-model.ts';
import { describeDummyKey } from '../../agent/models/describe-dummy-key.ts';
import { describeFallback } from '../../agent/models/named-models.ts';
import { sandboxOf } from '../../config/defaults.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import { probeSandbox } from '../../sandbox/probe-sandbox.ts';
import type { DoctorFacts } from '../../webhooks/authorize/doctor-facts.ts';

/** The facts that an entry point knows about its runs. */
export interface DoctorSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly operatorConfig: Config;
  readonly overrides: Config;
  readonly sandbox: SandboxMode | null;
  /** Reads permissions and events of the installation. Default: null, none. */
  readonly installation?: (() => Promise<Pick<DoctorFacts, 'permissions' | 'events'> | null>) | null;
}

/**
 * Checks the machine and reads the rights of the installation. Calls no model and prints no key.
 */
export async function doctorFacts(sources: DoctorSources): Promise<DoctorFacts> {
  const mode = sandboxOf(mergeConfig(sources.overrides, sources.operatorConfig), sources.sandbox);
  const [sandbox, model, installed] = await Promise.all([
    probeSandbox({ path: sources.environment.PATH }),
    findModel(sources),
    sources.installation?.() ?? null,
  ]);
  return {
    permissions: installed?.permissions ?? null,
    events: installed?.events ?? null,
    sandbox: {
      ok: sandbox.available || mode === 'off',
      found: sandbox.available ? 'works' : `${sandbox.reason}; it is ${mode} here`,
    },
    model,
  };
}

async function findModel({
  environment,
  operatorConfig,
  overrides,
}: DoctorSources): Promise<DoctorFacts['model']> {
  const config = mergeConfig(overrides, operatorConfig);
  try {
    const model = await createModel({ name: config.model ?? null, providers: config.providers, environment });
    const notes = [describeDummyKey(null, config, environment), describeFallback(config, environment)];
    const found = [`\`${model.name}\`; its key is set (not tried).`, ...notes]
      .filter((note) => note !== '')
      .join(' ');
    return { ok: true, found: found.replace(/\.$/, '') };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ok: false, found: error.message };
  }
}
