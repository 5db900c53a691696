import { Readable } from 'node:stream';
import { type ContributorReport, creditOf } from './report.ts';

function* partsOf({
  metrics,
  pullRequests,
  period,
  repository,
  team,
  credit,
  generatedAt,
  timeZone,
}: ContributorReport): Generator<string> {
  const head = {
    username: metrics.username,
    period,
    repository,
    team,
    ...creditOf({ credit }),
    time_zone: timeZone,
    created_at: generatedAt,
    metrics,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"pull_requests":[`;
  let separator = '\n';
  for (const pullRequest of pullRequests) {
    yield separator + JSON.stringify(pullRequest);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The report as one JSON object: `{username, period, repository, team, credit, time_zone, created_at, metrics, pull_requests}`. */
export function jsonOf(report: ContributorReport): Readable {
  return Readable.from(partsOf(report));
}
