import { describeCodec } from "../testing/describe-codec.ts";
import { RESPONSES } from "../testing/formats.ts";

describeCodec(RESPONSES);
