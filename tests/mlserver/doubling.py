"""The model that the MLServer test serves: each input comes back doubled, under the same name and shape."""

from mlserver import MLModel
from mlserver.types import InferenceRequest, InferenceResponse, ResponseOutput


class Doubling(MLModel):
    async def load(self):
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        outputs = [
            ResponseOutput(name=each.name, datatype=each.datatype, shape=each.shape, data=[2 * x for x in each.data])
            for each in payload.inputs
        ]
        return InferenceResponse(id=payload.id, model_name=self.name, model_version=self.version, outputs=outputs)
