import { parseJson } from '../contract/json.ts';
import { RunAccount } from '../contract/run-account.ts';
import { stateKeys } from '../contract/state-keys.ts';
import { readTenant, type StateRoot } from '../contract/state-store.ts';
import { generationOf } from '../state/repository-state.ts';

/** Reads the accounts of all runs that ended since a time; none of removed repositories. */
export async function readAccounts(state: StateRoot, since: Date): Promise<RunAccount[]> {
  const keys = await state.list(stateKeys.allAccounts);
  const tenants = new Set(keys.map((key) => key.split('/')[1] ?? ''));
  const active = new Set<string>();
  for (const name of tenants) {
    const tenant = readTenant(name);
    if (tenant !== null && (await generationOf(state, tenant)) === tenant.generation) active.add(name);
  }
  const accounts: RunAccount[] = [];
  for (const key of keys.filter((one) => active.has(one.split('/')[1] ?? ''))) {
    const { data } = RunAccount.safeParse(parseJson((await state.get(key)) ?? ''));
    if (data !== undefined && Date.parse(data.ended_at) >= since.getTime()) accounts.push(data);
  }
  return accounts;
}
