import type { Readable } from 'node:stream';
import type {
  ContributorMetrics,
  ContributorPullRequest,
  exportContributor,
  OwnFigures,
} from '#contract/contributors.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Period } from '#domain/period.ts';
import type { Context, SignedIn } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { type ContributorReport, exportFileName } from './report.ts';

/** A contributor's figures and pull requests as of one moment; what asks for them throws 404 for whom the user may not see. */
type Load<Figures> = (
  user: SignedIn,
  wanted: BodyOf<typeof exportContributor>,
) => Promise<{ metrics: Figures; prs: ContributorPullRequest[]; period: Period; as_of: Date }>;

interface Loads {
  readonly whole: Load<ContributorMetrics>;
  /** Without what others did, which takes longer to find out. */
  readonly own: Load<OwnFigures>;
}

/** The download of a contributor (docs/server.md#exports). Writers are loaded by the first export: no start waits for fonts. */
export function exportRoutes({ db }: Pick<Context, 'db'>, { whole, own }: Loads): Handlers<'exportContributor'> {
  return {
    exportContributor: async ({ user, body }) => {
      const nameOfTeam = async (id: number) => {
        const { name } = await db
          .selectFrom('teams')
          .select('name')
          .where('id', '=', id)
          .executeTakeFirstOrThrow(() => notFound('Team not found'));
        return name;
      };
      const nameOf = async (id: number) => {
        const { owner, name } = await db
          .selectFrom('repositories')
          .select(['owner', 'name'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow(() => notFound('Repository not found'));
        return `${owner}/${name}`;
      };
      const download = async <Figures extends { username: string }>(
        type: string,
        load: Load<Figures>,
        write: (report: ContributorReport<Figures>) => Readable,
      ) => {
        const { metrics, prs, period, as_of } = await load(user, body);
        const report = {
          metrics,
          pullRequests: prs,
          period,
          repository: body.repository == null ? null : await nameOf(body.repository),
          team: body.team == null ? null : await nameOfTeam(body.team),
          credit: body.credit ?? null,
          generatedAt: as_of,
          timeZone: user.time_zone,
        };
        return { filename: exportFileName(report, body.format), content_type: type, content: write(report) };
      };
      switch (body.format) {
        case 'csv':
          return await download('text/csv; charset=utf-8', own, (await import('./csv.ts')).csvOf);
        case 'json':
          return await download('application/json; charset=utf-8', whole, (await import('./json.ts')).jsonOf);
        case 'pdf':
          return await download('application/pdf', whole, (await import('./pdf.ts')).pdfOf);
      }
    },
  };
}
