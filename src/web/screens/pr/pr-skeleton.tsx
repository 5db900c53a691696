import { VisuallyHidden } from '@mantine/core';
import { Panel, Strip, StripCell } from '../../kit/card.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import classes from './pr.module.css';

const cells = ['Cycle Time', 'Review Cycles', 'PR Size', 'Percentile'];

/** The page before its figures, at the same heights; `wanted` names the pull request, `owner/name#number`. */
export function PullRequestSkeleton({ wanted }: { wanted: string }) {
  return (
    <div className={classes.page} aria-busy="true">
      <VisuallyHidden component="h1">{wanted}</VisuallyHidden>
      <VisuallyHidden role="status">Loading the pull request</VisuallyHidden>
      <Bone height="6.25rem" widths={['9rem', '24rem', '18rem']} />
      <Panel label="Key figures">
        <Strip>
          {cells.map((label) => (
            <StripCell key={label} label={label}>
              <Bone height="3.375rem" widths={['4rem']} />
            </StripCell>
          ))}
        </Strip>
      </Panel>
      <Bone height="2.5rem" widths={['28rem']} />
      <Panel label="Whose turn it was">
        <Bone height="14.5rem" widths={['12rem', '100%', '80%', '60%']} padded />
      </Panel>
      <Panel label="PR Timeline">
        <Bone height="37.5rem" widths={['10rem', '70%', '55%', '62%', '48%', '66%', '52%']} padded />
      </Panel>
    </div>
  );
}

interface BoneProps {
  readonly height: string;
  readonly widths: readonly string[];
  readonly padded?: boolean;
}

function Bone({ height, widths, padded = false }: BoneProps) {
  return (
    <div className={padded ? classes.paddedBone : classes.bone} style={{ height }}>
      <Late>
        {widths.map((width) => (
          <div key={width} className={classes.boneLine}>
            <Line width={`min(100%, ${width})`} />
          </div>
        ))}
      </Late>
    </div>
  );
}
