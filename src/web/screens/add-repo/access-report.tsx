import { CheckIcon, DashIcon, XIcon } from '@primer/octicons-react';
import type { AccessReport as Report } from '#contract/repositories.ts';
import classes from './add-repo.module.css';

/** What Test Access found: who asks, whether the repository can be read, with which rights, and what to do. */
export function AccessReport({ report }: { report: Report }) {
  const { github_user, repository, repository_error, token_scopes, recommendations } = report;
  return (
    <div className={classes.what} role="status">
      <dl className={classes.report}>
        <Line good label="Signed in as" value={github_user.login} />
        {repository !== null && (
          <Line
            good
            label="Repository"
            value={`${repository.full_name}, ${repository.private ? 'private' : 'public'}`}
          />
        )}
        {repository_error !== null && (
          <Line good={false} label="Repository" value={`Cannot access repository: ${repository_error.message}`} />
        )}
        <Line
          good={token_scopes.length > 0 ? true : null}
          label="Token scopes"
          value={token_scopes.length > 0 ? token_scopes.join(', ') : 'not told by the host'}
        />
      </dl>
      {recommendations.length > 0 && (
        <ul className={classes.recommendations} aria-label="Recommendations">
          {recommendations.map((recommendation) => (
            <li key={recommendation}>{recommendation}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Line({ good, label, value }: { good: boolean | null; label: string; value: string }) {
  const look = good === null ? classes.quiet : good ? classes.good : classes.bad;
  const Icon = good === null ? DashIcon : good ? CheckIcon : XIcon;
  return (
    <div>
      <Icon size={16} className={look ?? ''} />
      <dt>{label}</dt>
      <dd className={good === false ? classes.bad : undefined}>{value}</dd>
    </div>
  );
}
