import { editDistance } from '../../contract/edit-distance.ts';

const MAX_DISTANCE = 3;

/**
 * Returns at most three names similar to `wanted`, nearest first. Similar means another case,
 * another extension, or up to three typing mistakes (fewer in a short name).
 */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const stem = (name: string) => name.toLowerCase().replace(/\.[^.]*$/, '');
  const allowed = Math.min(MAX_DISTANCE, Math.ceil(wanted.length / 2));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= MAX_DISTANCE || stem(name) === stem(wanted))
    .map((name) => {
      const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
      return { name, distance: stem(name) === stem(wanted) ? Math.min(distance, 1) : distance };
    })
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}
