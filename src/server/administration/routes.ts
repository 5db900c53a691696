import type { Kysely } from 'kysely';
import type { Administrators } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from '../http/serve.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import type { NoteSecurityEvent } from '../security-events.ts';
import { auditCsv, auditPage } from './audit.ts';

export interface AdministrationDeps {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  readonly noteSecurityEvent: NoteSecurityEvent;
  readonly administrators: Administrators;
}

/** What administrators see of the installation. */
export function administrationRoutes(deps: AdministrationDeps): Handlers<'listSecurityEvents'> {
  const { db, now } = deps;
  return {
    async listSecurityEvents({ user, query, request }) {
      await deps.administrators.require(user);
      const { event, actor, limit, cursor, format } = query;
      const scope = await scopeWithoutFigures(db, user.id);
      if (format === 'json') return await auditPage(db, scope, { event, actor }, { limit, cursor: cursor ?? null });
      await deps.noteSecurityEvent({ event: 'exported', actor: user.login, subject: 'audit log (csv)' }, request);
      return {
        filename: `mergelight-audit-${now().toISOString().slice(0, 10)}.csv`,
        content_type: 'text/csv; charset=utf-8',
        content: auditCsv(db, scope, { event, actor }),
      };
    },
  };
}
