import type { Readable } from 'node:stream';
import type { ContributorMetrics, ContributorPullRequest } from '#contract/contributors.ts';
import type { Period } from '#domain/period.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Handlers } from '../http/serve.ts';
import { type ContributorReport, exportFileName } from './report.ts';

/** A contributor's figures and pull requests as of one moment; what asks for them throws 404 for whom the user may not see. */
type LoadContributor = (
  user: SignedIn,
  wanted: { username: string; period?: string | undefined; repository?: number | null | undefined },
) => Promise<{ metrics: ContributorMetrics; prs: ContributorPullRequest[]; period: Period; as_of: Date }>;

interface Format {
  readonly type: string;
  /** Writers are loaded by the first export: no start waits for fonts. */
  readonly write: (report: ContributorReport) => Promise<Readable>;
}

const formats: Record<'csv' | 'json' | 'pdf', Format> = {
  csv: { type: 'text/csv; charset=utf-8', write: async (report) => (await import('./csv.ts')).csvOf(report) },
  json: {
    type: 'application/json; charset=utf-8',
    write: async (report) => (await import('./json.ts')).jsonOf(report),
  },
  pdf: { type: 'application/pdf', write: async (report) => (await import('./pdf.ts')).pdfOf(report) },
};

/** The download of a contributor (server specification, section 7). */
export function exportRoutes({ db }: Pick<Context, 'db'>, load: LoadContributor): Handlers<'exportContributor'> {
  return {
    exportContributor: async ({ user, body }) => {
      const { metrics, prs, period, as_of } = await load(user, body);
      const narrowed = await db
        .selectFrom('repositories')
        .select(['owner', 'name'])
        .where('id', '=', body.repository ?? null)
        .executeTakeFirst();
      const report: ContributorReport = {
        metrics,
        pullRequests: prs,
        period,
        repository: narrowed === undefined ? null : `${narrowed.owner}/${narrowed.name}`,
        generatedAt: as_of,
        timeZone: user.time_zone,
      };
      const { type, write } = formats[body.format];
      return { filename: exportFileName(report, body.format), content_type: type, content: await write(report) };
    },
  };
}
