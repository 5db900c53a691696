import type { Definition } from '#domain/metrics/metric.ts';

/** What a figure, null an unknown one, is based on, counted: "118 pull requests", "1 review". `count` comes formatted. */
export function restsOn(figure: Pick<Definition, 'noun'> | Definition | null, n: number, count: string): string {
  const [one, many] = figure?.noun ?? ['pull request', 'pull requests'];
  return `${count} ${n === 1 ? one : many}`;
}
