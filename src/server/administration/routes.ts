import type { Kysely } from 'kysely';
import type { Administrators } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from '../http/serve.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import type { NoteSecurityEvent } from '../security-events.ts';
import { auditPage } from './audit.ts';

export interface AdministrationDeps {
  readonly db: Kysely<Database>;
  readonly noteSecurityEvent: NoteSecurityEvent;
  readonly administrators: Administrators;
}

/** What administrators see of the installation. */
export function administrationRoutes(deps: AdministrationDeps): Handlers<'listSecurityEvents'> {
  const { db } = deps;
  return {
    async listSecurityEvents({ user, query: { limit, cursor, ...filter }, request, csv }) {
      await deps.administrators.require(user);
      if (csv?.isFirstPage === true)
        await deps.noteSecurityEvent({ event: 'exported', actor: user.login, subject: 'audit log (csv)' }, request);
      const scope = await scopeWithoutFigures(db, user.id);
      return await auditPage(db, scope, filter, { limit, cursor: cursor ?? null });
    },
  };
}
