import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/query.ts';
import { Panel, Strip, StripCell } from './card.tsx';
import { Explain } from './explain.tsx';
import { Amount, Duration, Trend } from './figure.tsx';
import { formatCount } from './moment.ts';

/** The team's figures of the last 30 days; a failure to fetch them is only logged (product specification, section 8). */
export function TeamStatsStrip() {
  const answer = useQuery(ask('getTeamStats', { query: {} }));
  const stats = answer.data;
  return (
    <Panel label="Team figures">
      <Strip>
        <StripCell label={<Explain metric="avg_review_time_hours">Time to first review</Explain>}>
          <Duration hours={stats?.avg_review_time_hours ?? null} large />
        </StripCell>
        <StripCell label={<Explain metric="avg_time_to_merge_hours">Time to merge</Explain>}>
          <Duration hours={stats?.avg_time_to_merge_hours ?? null} large />
        </StripCell>
        <StripCell label={<Explain metric="merged_prs">Merged</Explain>}>
          <Amount figure={stats ? formatCount(stats.merged_prs) : null} unit="PRs" large />
          {stats && <Trend percent={null} better="up" before={`from ${formatCount(stats.previous.merged_prs)}`} />}
        </StripCell>
      </Strip>
    </Panel>
  );
}
