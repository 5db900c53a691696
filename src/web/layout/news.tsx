import type { HistoryState } from '@tanstack/react-router';
import { ForgetGoneTeam } from '../filters/forget-gone-team.tsx';
import { MissingParts } from '../views/missing-parts.tsx';
import { AccessNote } from './access-note.tsx';
import { DiskFullNote } from './disk-full-note.tsx';
import { HeldBackNote } from './held-back-note.tsx';
import classes from './page.module.css';
import { UpdatingNote } from './updating-note.tsx';

interface Props {
  readonly isFull: boolean;
  readonly isHeld: boolean;
  readonly isCounting: boolean;
  readonly isChecking: boolean;
  readonly partsMissing: HistoryState['partsMissing'];
  readonly rememberedTeam: HistoryState['rememberedTeam'];
}

/** Strips about what is not as usual. */
export default function News({ isFull, isHeld, isCounting, isChecking, partsMissing, rememberedTeam }: Props) {
  return (
    <>
      {isFull && <DiskFullNote />}
      {isHeld && <HeldBackNote />}
      {isCounting && <UpdatingNote />}
      {isChecking && <AccessNote />}
      {rememberedTeam !== undefined && <ForgetGoneTeam team={rememberedTeam} />}
      {partsMissing && (
        <div className={classes.offline}>
          <MissingParts what={partsMissing} />
        </div>
      )}
    </>
  );
}
