import { DeveloperTable } from '../../panels/developer-table.tsx';
import { ReviewerTable } from '../../panels/reviewer-table.tsx';
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
