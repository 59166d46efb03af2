import { describeCodec } from "../testing/describe-codec.ts";
import { CHAT } from "../testing/formats.ts";

describeCodec(CHAT);
