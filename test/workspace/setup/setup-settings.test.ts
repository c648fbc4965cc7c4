import { describe, expect, it } from 'vitest';
import { ecosystems } from '../../../src/workspace/setup/ecosystems.ts';
import { setupSettings } from '../../../src/workspace/setup/setup-settings.ts';

describe('the settings of a set-up', () => {
  it('come from the package manager that a command calls', () => {
    expect(setupSettings('npm ci')).toEqual({
      commands: ['npm ci'],
      registries: ['registry.npmjs.org'],
      scripts: false,
      cache: ['**/node_modules'],
      lockfiles: ['**/package-lock.json', '**/npm-shrinkwrap.json', '**/package.json', '**/.npmrc'],
      timeoutSeconds: 600,
      environment: {
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        npm_config_ignore_scripts: 'true',
      },
      runEnvironment: {},
    });
  });

  it('come from every package manager called, however the call is written', () => {
    const settings = setupSettings({
      commands: ['python3 -m venv .venv && .venv/bin/pip install -r requirements.txt', '(cd web; npm ci)'],
    });
    expect(settings.registries).toEqual(['registry.npmjs.org', 'pypi.org', 'files.pythonhosted.org']);
    expect(settings.cache).toEqual(['**/node_modules', '.venv', 'venv']);
    expect(settings.environment).toMatchObject({
      PIP_ONLY_BINARY: ':all:',
      npm_config_ignore_scripts: 'true',
    });
  });

  it('do not disable scripts if they are requested', () => {
    const { environment } = setupSettings({ commands: ['npm ci'], scripts: true });
    expect(Object.keys(environment)).not.toContain('npm_config_ignore_scripts');
  });

  it('are those configured, and an unknown program adds nothing', () => {
    const given = {
      commands: ['make deps'],
      registries: ['registry.example:8443'],
      scripts: false,
      cache: ['deps'],
      lockfiles: ['deps.lock'],
      timeoutSeconds: 60,
    };
    expect(setupSettings(given)).toEqual({ ...given, environment: {}, runEnvironment: {} });
    expect(setupSettings('make deps')).toMatchObject({ registries: [], cache: [], lockfiles: [] });
  });

  it('have no program that belongs to two package managers', () => {
    const programs = ecosystems.flatMap((one) => one.programs);
    expect(new Set(programs).size).toBe(programs.length);
  });
});
