import { Component, type ReactNode } from "react";

interface Props {
  /** What stands there instead of a part that cannot be drawn. */
  broken: ReactNode;
  /** Where the user is: in another place the part is drawn again. */
  place: string;
  children: ReactNode;
}

/** Keeps an error of drawing from emptying the page. React asks for a class. */
export class ErrorBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ place }: Props) {
    if (this.state.isBroken && place !== this.props.place) this.setState({ isBroken: false });
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children;
  }
}
