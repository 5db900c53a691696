import { DeveloperTable } from '../../people/developer-table.tsx';
import { ReviewerTable } from '../../people/reviewer-table.tsx';
import classes from './dashboard.module.css';

/** Who reviewed and who developed, side by side where there is room. */
export default function PeopleTables() {
  return (
    <div className={classes.people}>
      <ReviewerTable />
      <DeveloperTable />
    </div>
  );
}
