import { Banner } from '../../kit/banner.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import classes from './failed.module.css';

interface Props {
  /** What failed, in a sentence without its full stop. */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly onClose?: () => void;
}

/** A failure that leaves the rest of the page as it was. */
export function Failed({ title, error, onRetry, onClose }: Props) {
  return (
    <Banner
      meaning="bad"
      {...(onClose && { onClose })}
      {...(onRetry && {
        aside: (
          <button type="button" className={classes.retry} onClick={onRetry}>
            Retry
          </button>
        ),
      })}
    >
      {title}. {causeOf(error)}
    </Banner>
  );
}
