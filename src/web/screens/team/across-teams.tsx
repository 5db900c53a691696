import type { TeamView } from '#contract/teams.ts';
import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import { percentWords } from '#domain/percent.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Explain } from '../../explain/explain.tsx';
import { useChoice } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { Amount } from '../../kit/figure.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './team.module.css';
import { OldViewNote, type TeamViewAnswer, ViewFailed } from './view-failed.tsx';

interface Props {
  readonly view: TeamViewAnswer;
  /** The window in words. */
  readonly caption: string;
}

/** How much of reviewing goes in and out of the team. */
export function AcrossTeams({ view, caption }: Props) {
  const { data } = view;
  return (
    <Card title="Across teams" caption={`counting reviews, ${caption}`} outdated={view.isPlaceholderData}>
      <OldViewNote view={view} />
      {data === undefined ? (
        view.error ? (
          <ViewFailed view={view} />
        ) : (
          <Late>
            <div className={classes.pending}>
              <Line width="40%" />
              <Line width="100%" />
              <Line width="40%" />
              <Line width="100%" />
            </div>
          </Late>
        )
      ) : (
        <div className={classes.shares}>
          <Across figure="team.from_outside" share={data.from_outside} none="No review of the team’s pull requests.">
            {({ reviews, n }) =>
              `${formatCount(reviews)} of ${formatCount(n)} reviews on the team’s pull requests came from others`
            }
          </Across>
          <Across figure="team.to_outside" share={data.to_outside} none="No review by members.">
            {({ reviews, n }) =>
              `${formatCount(reviews)} of ${formatCount(n)} reviews by members were on others’ pull requests`
            }
          </Across>
        </div>
      )}
    </Card>
  );
}

interface AcrossProps {
  readonly figure: 'team.from_outside' | 'team.to_outside';
  readonly share: TeamView['from_outside'];
  /** What is said over nothing. */
  readonly none: string;
  readonly children: (share: TeamView['from_outside']) => string;
}

function Across({ figure, share, none, children }: AcrossProps) {
  const chosen = useChoice();
  return (
    <div className={classes.share}>
      <div>
        <Explain metric={figure} {...chosen}>
          {definitionsOfTheTeam[figure].name}
        </Explain>
        <b>
          <Amount figure={share.value === null ? null : percentWords(share.value)} unit="%" />
        </b>
      </div>
      <ShareBar percent={100 * (share.value ?? 0)} tone="chart-4" />
      <p>{share.value === null ? none : children(share)}</p>
    </div>
  );
}
