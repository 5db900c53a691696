import { Link } from '@tanstack/react-router';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { counted } from '#domain/counted.ts';
import { NOT_AVAILABLE } from '#domain/duration.ts';
import { percentWords } from '#domain/percent.ts';
import { noAreasWords, TOP_SHOWN, teamImpact } from '#domain/team-impact.ts';
import { Defined } from '../../explain/definition.tsx';
import { Card } from '../../kit/card.tsx';
import { Person } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { formatCount, formatMean } from '../../time/moment.ts';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { FigureName } from './figure-name.tsx';
import { PartFigure } from './part-figure.tsx';
import { RatingChip } from './rating.tsx';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** What someone's reviews mean to the team, who reviews them, and where in the code they work. */
export function ImpactCard({ metrics, compared }: Props) {
  const { top_reviewed_by, code_ownership_areas } = metrics;
  const other = compared?.metrics;
  return (
    <Card
      title={<Defined figure="contributor.team_impact">Team Impact</Defined>}
      controls={<RatingChip rating={impactOf(metrics)} />}
    >
      <p className={classes.quiet}>
        <Reviewed by={metrics} />
      </p>
      {other && (
        <p className={classes.quiet}>
          {compared.name}: <RatingChip rating={impactOf(other)} /> <Reviewed by={other} />
        </p>
      )}
      {compared !== null && compared.metrics === null && (
        <p className={classes.quiet}>
          {compared.name}: {meanWords(compared.figures.total_prs_reviewed)}
        </p>
      )}
      <h3 className={classes.subhead}>
        <Defined figure="contributor.top_reviewed_by">Most reviewed by</Defined>
      </h3>
      {top_reviewed_by.length === 0 && <p className={classes.quiet}>Nobody in this period</p>}
      <ol className={classes.ranking}>
        {top_reviewed_by.slice(0, TOP_SHOWN).map(({ username, avatar_url, count }) => (
          <li key={username} data-tips>
            <Person name={username} avatarUrl={avatar_url}>
              <Link className={classes.plain} to="/contributor/{-$username}" params={{ username }}>
                {shownLogin(username)}
              </Link>
            </Person>
            <b>
              <PartFigure of="contributor.top_reviewed_by" part={username} name={username}>
                {formatCount(count)}
              </PartFigure>
            </b>
          </li>
        ))}
      </ol>
      <h3 className={classes.subhead}>
        <Defined figure="contributor.code_ownership_areas">Top code areas</Defined>
      </h3>
      {code_ownership_areas.length === 0 && <p className={classes.quiet}>{noAreasWords(metrics.total_prs_merged)}</p>}
      <ol className={classes.ranking}>
        {code_ownership_areas.slice(0, TOP_SHOWN).map(({ path, percentage }) => (
          <li key={path} data-tips>
            <code title={path}>{path}</code>
            <b>
              <PartFigure of="contributor.code_ownership_areas" part={path} name={path}>
                {percentWords(percentage / 100)}%
              </PartFigure>
            </b>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function impactOf({ total_prs_reviewed, unique_developers_reviewed }: ContributorMetrics) {
  return teamImpact(total_prs_reviewed, unique_developers_reviewed);
}

function meanWords(reviewed: number | null): string {
  return reviewed === null ? NOT_AVAILABLE : `${formatMean(reviewed)} PRs reviewed`;
}

/** "Reviewed 12 PRs for 4 developers", whose numbers explain themselves. */
function Reviewed({ by }: { by: ContributorMetrics }) {
  const { username, total_prs_reviewed: prs, unique_developers_reviewed: people } = by;
  return (
    <>
      Reviewed{' '}
      <FigureName of="contributor.total_prs_reviewed" whose={username}>
        {counted(prs, 'PR')}
      </FigureName>
      {people > 0 && (
        <>
          {' for '}
          <FigureName of="contributor.unique_developers_reviewed" whose={username}>
            {counted(people, 'developer')}
          </FigureName>
        </>
      )}
    </>
  );
}
